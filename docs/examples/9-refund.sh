#!/bin/sh
# Asks for the refund of an order; another person agrees with `jiaowu refund approve ID`. Usage: 9-refund.sh ORDER REASON
set -eu
jiaowu refund request "$1" --reason "$2"
