#!/bin/sh
# The income of a month in yuan. Usage: 6-monthly-income.sh 2026-11
set -eu
jiaowu order ls -f "paidAt=$1" -f state=PAID --footer amountFen:sum -n 1 \
  --jq 'select(.footer) | (.footer[0].value // 0) / 100'
