#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every recorded incident is found, with who and what and within two ticks, and
nothing above a note is said that did not happen."""
import os

import judge
from gstest import TOP, check

judged = judge.judge(os.path.join(TOP, 'samples', 'incidents'))
check(judged.n_files >= 16, 'only %d recordings' % judged.n_files)
for v in judged.verdicts:
    check(v.finding, '%s: no finding tells %r' % (v.name, v.truth))
    check(v.is_right(), '%s: off by %+.1f and %+.1f ticks: %r' % (
        v.name, *v.off, v.finding))
check(not judged.extra, 'also said: %r' % (judged.extra,))
