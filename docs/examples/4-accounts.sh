#!/bin/sh
# Accounts from a list (account,name,roles) with one-time passwords, in a file that only you may read.
# Usage: 4-accounts.sh FILE. A fresh proof is asked for: JIAOWU_PASSWORD, or a sign-in within the last hour.
set -eu
jiaowu user import "$1" -o passwords.csv --yes
