#!/bin/sh
# Takes definitions from the profile `test` to the profile `production`. Usage: 3-test-to-production.sh TAG…
set -eu
jiaowu --profile test design pull "$@" --dir definitions
jiaowu --profile production design lint "$@" --dir definitions
jiaowu --profile production design diff "$@" --dir definitions
jiaowu --profile production design apply "$@" --dir definitions --note "from test"
