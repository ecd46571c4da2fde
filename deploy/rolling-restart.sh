#!/bin/sh
# Restarts the processes on this machine one by one; each starts when the previous one is ready again.
# rolling-restart.sh UNIT...   e.g. rolling-restart.sh ranklark-worker@3101 ranklark-worker@3102 ranklark-web@3001 ranklark-web@3002
set -eu
here=$(dirname "$0")
for unit in "$@"; do
  port=${unit##*@}
  echo "$unit"
  systemctl restart "$unit"
  "$here/wait-until-ready.sh" "http://127.0.0.1:${port%.service}/readyz" 180
  # Gives the proxy time to notice that the process is back.
  sleep 3
done
