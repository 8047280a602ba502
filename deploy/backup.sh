#!/bin/sh
# Dumps the database of DATABASE_URL into BACKUP_DIR and deletes dumps that are 35 days old. Needs pg_dump of the server's major version.
# A finished, readable dump gets its final name. The company base and the notices of the bulletin are excluded, because
# they are imported again from the files of INSEE, INPI, the DGFiP and DILA; who follows a company (company_alerts …) is not.
# BACKUP_TIME_DIR, if it is set, gets a file that is as old as the last dump: the shop reads it as its BACKUP_DIR, and cannot read the dumps.
set -eu
umask 077
: "${BACKUP_DIR:?the folder of the dumps}" "${DATABASE_URL:?the database}"

# the environment passes the password, which a list of processes would show; it must not need percent-encoding (openssl rand -hex 32)
PGPASSWORD=$(printf %s "$DATABASE_URL" | sed -nE 's#^[a-z]+://[^:/@]*:([^@]*)@.*#\1#p')
[ -z "$PGPASSWORD" ] || export PGPASSWORD
address=$(printf %s "$DATABASE_URL" | sed -E 's#^([a-z]+://[^:/@]*):[^@]*@#\1@#')

# The shop trusts Node's authorities. libpq trusts none by default, and only version 16 or later knows « sslrootcert=system ».
authorities=/etc/ssl/certs/ca-certificates.crt
case $DATABASE_URL in *sslmode=verify-*) [ ! -f "$authorities" ] || export PGSSLROOTCERT="${PGSSLROOTCERT:-$authorities}" ;; esac

# deletes the remains of killed dumps
find "$BACKUP_DIR" -name 'shop-*.dump.part' -mmin +360 -exec rm {} +

dump=$BACKUP_DIR/shop-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$dump.part"' EXIT
pg_dump -Fc --exclude-table-data='public.(companies|company_(branches|registrations|sources|vat_numbers|words))' --exclude-table-data='public.bulletin_*' --exclude-table-data=public.rate_limits --file "$dump.part" --dbname "$address" &
dumping=$!
# dash runs no EXIT trap after a signal, and it waits for a program in the foreground
trap 'kill "$dumping" 2>/dev/null || :; wait "$dumping" || :; exit 1' INT TERM HUP
wait "$dumping"
pg_restore --list "$dump.part" > /dev/null
mv "$dump.part" "$dump"
find "$BACKUP_DIR" -name 'shop-*.dump' -mtime +34 -exec rm {} +
if [ -n "${BACKUP_TIME_DIR:-}" ]; then
	umask 022
	basename "$dump" > "$BACKUP_TIME_DIR/last-backup.part"
	mv "$BACKUP_TIME_DIR/last-backup.part" "$BACKUP_TIME_DIR/last-backup"
fi
echo "$dump"
