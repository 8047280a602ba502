#!/bin/sh
# Creates a small certificate authority and a certificate for each database host, for three years:
#   sh create-certificates.sh /root/shop-certificates db1=10.77.0.11 db2=10.77.0.12 db3=10.77.0.13
# Run it where no customer's request arrives, and leave ca.key there. Run again, it renews the certificates of the hosts that it names.
set -eu
umask 077
folder=${1:?the folder of the certificates}
shift
: "${1:?the hosts, such as db1=10.77.0.11}"
mkdir -p "$folder"
cd "$folder"

if [ ! -e ca.key ]; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=database hosts of the shop" \
		-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.pem
fi
for host in "$@"; do
	name=${host%%=*}
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
	# each host is a server, and a client of the others
	printf '%s\n' "subjectAltName=DNS:$name,IP:${host#*=}" extendedKeyUsage=serverAuth,clientAuth basicConstraints=critical,CA:FALSE > "$name.ext"
	openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 1095 -extfile "$name.ext" -out "$name.pem"
	rm "$name.csr" "$name.ext"
done
chmod 644 ./*.pem
