import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { findInsecureSettings } from "../server/environment/insecure-settings.ts";

// `npm run cluster-drill` runs these files and tries each door; this test reads what must not be loosened, wherever it runs.

const read = (file: string) => readFileSync(`deploy/cluster/${file}`, "utf8");
const patroni = parse(read("patroni.yaml"));
const patroniEnv = parseEnv(read("patroni.env")) as Record<string, string>;
const etcd = parseEnv(read("etcd.env")) as Record<string, string>;
const readme = read("README.md");

const certificate = {
	ca: "/etc/ssl/certs/shop-cluster-ca.pem",
	cert: "/etc/ssl/certs/shop-cluster.pem",
	key: "/etc/ssl/private/shop-cluster.key",
};

test("etcd answers only to a certificate, over TLS", () => {
	for (const [name, value] of Object.entries(etcd)) if (/URLS|CLUSTER$/.test(name)) expect(value, name).not.toContain("http:");
	for (const kind of ["", "PEER_"])
		expect(etcd).toMatchObject({
			[`ETCD_${kind}TRUSTED_CA_FILE`]: certificate.ca,
			[`ETCD_${kind}CERT_FILE`]: certificate.cert,
			[`ETCD_${kind}KEY_FILE`]: certificate.key,
			[`ETCD_${kind}CLIENT_CERT_AUTH`]: "true",
		});
	expect(etcd.ETCD_ENABLE_V2).toBe("false");
	expect(patroni.etcd3).toMatchObject({ protocol: "https", cacert: certificate.ca, cert: certificate.cert, key: certificate.key });
});

test("Patroni takes orders only with a certificate, the address of a member and a password", () => {
	expect(patroni.restapi).toEqual({
		...{ cafile: certificate.ca, certfile: certificate.cert, keyfile: certificate.key },
		...{ verify_client: "required", allowlist_include_members: true },
	});
	expect(patroniEnv).toMatchObject({ PATRONI_RESTAPI_USERNAME: "patroni", PATRONI_RESTAPI_PASSWORD: "" });
});

test("PostgreSQL takes no connection without TLS, and each role only from where it is", () => {
	expect(patroni.postgresql.parameters).toMatchObject({ ssl: "on", ssl_cert_file: certificate.cert, ssl_key_file: certificate.key });
	expect(patroni.postgresql.pg_hba).toEqual([
		"local all postgres peer",
		"hostssl replication replicator 10.77.0.8/29 scram-sha-256",
		"hostssl postgres rewind 10.77.0.8/29 scram-sha-256",
		"hostssl shop shop 10.77.0.0/24 scram-sha-256",
	]);
	for (const role of ["REPLICATION", "REWIND"])
		expect(patroniEnv).toMatchObject({ [`PATRONI_${role}_SSLMODE`]: "verify-full", [`PATRONI_${role}_SSLROOTCERT`]: certificate.ca });
});

test("the shop's URLs are encrypted to their end, and the firewall closes the rest", () => {
	const urls = [...readme.matchAll(/(DATABASE_(?:READ_)?URL)='([^']+)'/g)].map(([, name, url]) => [
		name,
		url?.replace(certificate.ca, import.meta.filename),
	]);
	expect(urls.map(([name]) => name)).toEqual(["DATABASE_URL", "DATABASE_READ_URL"]);
	for (const [name, url] of urls) expect(url, name).toContain("sslmode=verify-full&sslrootcert=");
	expect(findInsecureSettings(Object.fromEntries(urls), {})).toEqual([]);
	expect(readme.match(/^ *iptables .+$/gm)?.map((line) => line.trim())).toEqual([
		"iptables -A INPUT -p tcp -m multiport --dports 2379,2380,8008 ! -s 10.77.0.8/29 -j DROP",
		"iptables -A INPUT -p tcp --dport 5432 ! -s 10.77.0.0/24 -j DROP",
	]);
});

test("no password of the example has a value", () => {
	for (const [name, value] of Object.entries(patroniEnv)) if (/PASSWORD|CIPHER|KEY/.test(name)) expect(value, name).toBe("");
});
