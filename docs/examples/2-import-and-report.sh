#!/bin/sh
# Imports a sheet and leaves the refused rows in a workbook to send back. Usage: 2-import-and-report.sh TAG FILE
set -u
jiaowu entity import "$1" "$2" --on-error skip --results refused.xlsx --only-wrong --yes --jq '.inserted'
case $? in
  0) echo "everything was taken" ;;
  3) echo "some rows were refused: refused.xlsx" ;;
  *) exit 1 ;;
esac
