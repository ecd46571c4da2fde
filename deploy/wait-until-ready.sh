#!/bin/sh
# wait-until-ready.sh ADDRESS [SECONDS]: waits until GET ADDRESS returns 200; exit code 1 on timeout.
set -eu
address=$1
seconds=${2:-60}
until curl --silent --fail --max-time 4 --output /dev/null "$address"; do
  seconds=$((seconds - 1))
  if [ "$seconds" -le 0 ]; then
    echo "$address is not ready" >&2
    exit 1
  fi
  sleep 1
done
