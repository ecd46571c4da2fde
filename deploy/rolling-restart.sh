#!/bin/sh
# Restarts the processes of this machine one after the other; the next one only when the last one is ready again.
# rolling-restart.sh UNIT...   e.g. rolling-restart.sh ranklark-worker@3101 ranklark-worker@3102 ranklark-web@3001 ranklark-web@3002
set -eu
here=$(dirname "$0")
for unit in "$@"; do
  port=${unit##*@}
  echo "$unit"
  systemctl restart "$unit"
  "$here/wait-until-ready.sh" "http://127.0.0.1:${port%.service}/readyz" 180
  # Long enough for the proxy to have learnt that it is back.
  sleep 3
done
