#!/bin/sh
# Patroni calls it once, when the cluster is new, with the address of the first leader.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --set password="$SHOP_DATABASE_PASSWORD" "$1" <<'SQL'
create role shop login password :'password';
create database shop owner shop;
SQL
