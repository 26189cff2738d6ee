#!/bin/sh
# Run a command with its temporary files in memory, and remove them afterwards. The tests write thousands of logs; a disk
# takes about as long for these as the tests themselves. Without 1 GiB of free memory files the disk is used.
set -eu
if [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -ge 1048576 ]; then
    TMPDIR=$(mktemp -d /dev/shm/mam-events.XXXXXX)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
fi
"$@"
