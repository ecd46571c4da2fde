#!/bin/sh
# Run once by the image of PostgreSQL, when its data is new.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$RANKLARK_PASSWORD" -U "$POSTGRES_USER" -d postgres -f /etc/ranklark/postgres-role.sql
