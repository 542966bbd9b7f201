#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the completion proposes for the words given; the last word is the one
# being typed.
. "$SOURCE/completion/gpsnap.bash"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gpsnap 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '
