import { sql } from "kysely";
import { countMailboxKeys } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { type Check, createResult, formatCount, skipCheck } from "./check.ts";

/** Wrong settings that do not prevent a start; server/environment/environment.ts checks the others. */
export const settingChecks: Check[] = [
	{
		name: "trusted-proxies",
		what: "TRUSTED_PROXIES",
		how: "a production shop is behind at least one proxy",
		todo: "Set TRUSTED_PROXIES to the number of proxies (usually 1); otherwise all clients count as one.",
		async examine({ environment: { production, trustedProxies } }) {
			if (!production) return skipCheck("demo");
			return createResult(String(trustedProxies), ...(trustedProxies === 0 ? ["TRUSTED_PROXIES is 0."] : []));
		},
	},
	{
		name: "database-setting",
		what: "DATABASE_URL",
		how: "a production shop does not use the embedded database",
		todo: "Set DATABASE_URL to a PostgreSQL server: the embedded one stops with the shop.",
		async examine({ environment: { production, databaseUrl } }) {
			if (!production) return skipCheck("demo");
			return createResult("set", ...(databaseUrl === undefined ? ["DATABASE_URL is not set."] : []));
		},
	},
	{
		name: "shared-files",
		what: "Documents on disk",
		how: "without a bucket, the number of machines connected to the database",
		todo: "Set a bucket (S3_BUCKET), or share one volume between all machines; otherwise each lacks the documents of the others.",
		async examine({ db, environment: { s3 } }) {
			if (s3 !== undefined) return skipCheck("bucket");
			const { rows } = await sql<{ machines: number }>`
				select count(distinct coalesce(client_addr::text, 'local'))::integer as machines from pg_stat_activity
				where datname = current_database() and application_name like 'extrait-pro%' and application_name <> 'extrait-pro doctor'`.execute(
				db,
			);
			const machines = rows[0]?.machines ?? 0;
			// a shared volume is allowed; without one, the check of files reports missing ones
			return machines > 1
				? skipCheck(`${formatCount(machines, "machine")}, which must share one volume`)
				: createResult(formatCount(machines, "machine"));
		},
	},
	{
		name: "secrets",
		what: "APP_SECRET",
		how: "during a rotation, there are two secrets for thirty days: the new one and the old one",
		todo: "Remove the old secrets: what they signed expires after thirty days.",
		async examine({ environment: { secrets } }) {
			const seen =
				secrets.length === 2 ? "two: remove the old one thirty days after adding the new one" : formatCount(secrets.length, "secret");
			return createResult(seen, ...(secrets.length > 2 ? [`APP_SECRET has ${secrets.length} secrets: a rotation was not completed.`] : []));
		},
	},
	{
		name: "mailbox-keys",
		what: "Keys of invoices of erased customers",
		how: "a secret of the shop decrypts each key by which « Mes commandes » finds invoices of erased customers",
		todo: "Add the former secret to ORDER_COPY_KEY or APP_SECRET, after a comma, until the next nightly purge; if it is lost, give those invoices on request.",
		async examine(shop) {
			const { all, lost } = await countMailboxKeys(shop);
			return createResult(formatCount(all, "key"), ...(lost > 0 ? [`No secret decrypts ${formatCount(lost, "key")}.`] : []));
		},
	},
];
