#!/bin/sh
# Writes the current digests of the compose.yaml images to deploy/.env. Compose then runs exactly these, even if the tags
# change. Run it again before an upgrade, and when an image gets a fix.
set -eu
# No copy of .env is ever readable by others, not even for a moment: it contains every secret.
umask 077
cd "$(dirname "$0")"
pin() {
  digest=$(docker buildx imagetools inspect "$2" --format '{{.Manifest.Digest}}')
  case $digest in sha256:*) ;; *) echo "$2: no digest was found" >&2; exit 1 ;; esac
  rm -f .env.pinned
  grep -v "^$1=" .env >.env.pinned || true
  echo "$1=$digest" >>.env.pinned
  mv .env.pinned .env
  echo "$2 $digest"
}
[ -f .env ] || { echo 'There is no deploy/.env: copy env.example first' >&2; exit 1; }
pin NODE_DIGEST node:24-bookworm-slim
pin POSTGRES_DIGEST postgres:18
pin CLICKHOUSE_DIGEST clickhouse/clickhouse-server:26.7
pin CLICKHOUSE_KEEPER_DIGEST clickhouse/clickhouse-keeper:26.7
pin CADDY_DIGEST caddy:2
