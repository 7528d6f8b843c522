#!/bin/sh
# The server and its commands: `jiaowu-server --help`. Runs with the Node beside it.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
main=$root/apps/server/src/start/commands/server-main.ts
export JIAOWU_PROGRAM=jiaowu-server
# V8's optimising compiler takes 600 MB for the embedded database (docs/operations.md#memory-of-the-embedded-database).
if [ -z "$DATABASE_URL" ]; then exec "$root/bin/node" --liftoff-only "$main" "$@"; fi
exec "$root/bin/node" "$main" "$@"
