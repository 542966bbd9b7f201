# SPDX-License-Identifier: Apache-2.0
"""Figures of a range are of its samples: those of the samples of a real server are
the same in a recording that begins there."""
import os

import editlib

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       '..', '..', 'samples')

# Samples and seconds of their minutes: queries begin and end before, in and after
# these, and executors are idle since before.
WINDOWS = {
    'greenplum6-spill': ('2026-11-22 10:18:', (20, 30), (25, 40), (31, 55),
                         (38, 50)),
    'greenplum6': ('2026-11-20 21:33:', (8, 15), (10, 20)),
    'postgresql15-incident': ('2026-11-22 17:51:', (5, 15), (10, 35),
                              (25, 35), (40, 55)),
    'postgresql15': ('2026-11-21 03:16:', (30, 45), (40, 55)),
}

# Since when a segment's process waits: by the segments' sample before, which may be
# before the range.
SINCE = ('active',)


def main():
    with editlib.scratch() as tmp:
        out = os.path.join(tmp, 'window.gpsnap')
        for name, (minute, *windows) in WINDOWS.items():
            sample = os.path.join(SAMPLES, name + '.gpsnap')
            for a, b in windows:
                times = ['--from', '%s%02d' % (minute, a),
                         '--to', '%s%02d' % (minute, b)]
                editlib.gpsnap('cut', sample, '-o', out, '--force', *times)
                editlib.same_everywhere(out, [], sample, times,
                                        '%s, %d to %d' % (name, a, b),
                                        but=SINCE)


main()
