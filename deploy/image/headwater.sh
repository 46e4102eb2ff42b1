#!/bin/sh
# Runs a command of Headwater with the code at /app: headwater serve, headwater worker, ...
set -eu
if [ "${1:-}" = healthy ]; then
  exec node -e 'fetch(`http://127.0.0.1:${process.env.BACKEND_PORT || 8000}/api/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))'
fi
if [ "${1:-}" = every ]; then
  # headwater every SECONDS COMMAND ...: repeats a command with a pause, even if the command fails.
  seconds=$2
  shift 2
  trap 'kill "$child" 2>/dev/null && wait "$child" || :; exit 0' TERM INT
  while :; do
    sh "$0" "$@" &
    child=$!
    wait "$child" || echo "headwater: $1 failed; it is repeated in $seconds s" >&2
    sleep "$seconds" &
    child=$!
    wait "$child"
  done
fi
start=packages/server/src/start.ts
if [ ! -f "/app/$start" ]; then
  echo "headwater: /app contains no code: /app/$start is missing. Mount the folder of the code at /app:" >&2
  echo "set BACKEND_CODE_DIR to it for compose.yaml, or use docker run --volume FOLDER:/app" >&2
  exit 2
fi
if [ -d /app/node_modules ]; then
  echo "headwater: /app/node_modules exists, so its packages are used instead of the packages of the image" >&2
elif ! sha256sum /app/package-lock.json | grep -q "^$(cat /usr/local/share/headwater/package-lock.sha256) "; then
  echo "headwater: warning: package-lock.json of the code differs from that of the image; build the image again (npm run image)" >&2
fi
exec node --conditions=@headwater/source "/app/$start" "$@"
