#!/bin/sh
# Patroni runs this script once, after creating the cluster, with the connection URL of the first leader.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --set password="$SHOP_DATABASE_PASSWORD" "$1" <<'SQL'
create role shop login password :'password';
create database shop owner shop;
SQL
