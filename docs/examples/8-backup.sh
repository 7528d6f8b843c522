#!/bin/sh
# A backup beside the running server, on its machine. Usage: 8-backup.sh FOLDER_OF_JIAOWU FILE
# With BACKUP_KEY it is encrypted; without, keep the file like a password.
set -eu
cd "$1"
npm run --silent server -- backup -o "$2"
