#!/bin/sh
# Compares every PDF of a folder with what the school issued. Needs no account. Usage: 10-verify.sh FOLDER
for file in "$1"/*.pdf; do
  printf '%s\t%s\n' "$file" "$(jiaowu verify "$file" --jq '.verdict')"
done
