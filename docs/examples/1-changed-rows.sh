#!/bin/sh
# Nightly: the students that changed since the last run, as CSV. The first run exports all.
# The next moment is noted before the export, so that no change is left out.
set -eu
touch students.next
if [ -e students.last ]; then set -- --changed-after students.last; else set --; fi
jiaowu entity export EDU_STUDENT "$@" -o "students-$(date +%Y-%m-%dT%H%M%S).csv"
mv students.next students.last
