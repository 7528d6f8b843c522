#!/bin/sh
# Deletes the text messages that were sent before a day, after a dry run that says how many. Usage: 5-clean-up.sh 2026-01-01
set -eu
jiaowu entity bulk-delete SYS_SMS_TASK -w "createTime=..$1" --dry-run --jq '.total'
jiaowu entity bulk-delete SYS_SMS_TASK -w "createTime=..$1" --yes
