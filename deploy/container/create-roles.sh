#!/bin/sh
# Run by the image of PostgreSQL when it creates the primary: a role that owns only the gallery, and one for the replica.
set -eu
psql -v ON_ERROR_STOP=1 -v "password=$POSTGRES_PASSWORD" <<'SQL'
create role vitrine login password :'password';
create role replication login replication password :'password';
create database gallery owner vitrine encoding 'UTF8' template template0;
SQL
echo 'host replication replication samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
