#!/bin/sh
# Numbers of the students in a class who have no mark in a term. Usage: 7-without-marks.sh CLASS TERM
set -eu
numbers() { tail -n +2 | tr -d '\r' | sort -u; }
jiaowu entity export EDU_STUDENT -f "class=$1" -c studentNo --format csv -o - | numbers > class.txt
jiaowu entity export EDU_GRADE -f "term=$2" -c studentNo --format csv -o - | numbers > marked.txt
comm -23 class.txt marked.txt
