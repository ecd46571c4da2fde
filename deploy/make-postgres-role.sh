#!/bin/sh
# The PostgreSQL image runs this once, on an empty data directory.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$RANKLARK_PASSWORD" -U "$POSTGRES_USER" -d postgres -f /etc/ranklark/postgres-role.sql
