#!/bin/sh
# PostgreSQL's image runs it once, on an empty volume: it creates a role that owns its database and is no superuser. Otherwise only the
# server's own user may connect, from inside the container.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$SHOP_PASSWORD" <<'SQL'
create role shop login password :'password';
create database shop owner shop;
SQL
cat > "$PGDATA/pg_hba.conf" <<'HBA'
local all  postgres peer
local shop shop     scram-sha-256
HBA
