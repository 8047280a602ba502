import { sql } from "kysely";
import { type Check, count, found, skipped } from "./check.ts";

/** Settings that start a shop and are still wrong. What stops a start is in server/environment/environment.ts. */
export const settingChecks: Check[] = [
	{
		name: "trusted-proxies",
		what: "TRUSTED_PROXIES",
		how: "une boutique en ligne est derrière un proxy au moins",
		todo: "Mettez TRUSTED_PROXIES au nombre de proxys (1 le plus souvent), sinon tous les clients comptent pour un.",
		async examine({ environment: { production, trustedProxies } }) {
			if (!production) return skipped("démonstration");
			return found(String(trustedProxies), ...(trustedProxies === 0 ? ["TRUSTED_PROXIES vaut 0."] : []));
		},
	},
	{
		name: "database-setting",
		what: "DATABASE_URL",
		how: "une boutique en ligne a une base à elle, et non celle de la démonstration",
		todo: "Donnez un PostgreSQL à la boutique avec DATABASE_URL\u00a0: celui de la démonstration s’arrête avec son processus.",
		async examine({ environment: { production, databaseUrl } }) {
			if (!production) return skipped("démonstration");
			return found("défini", ...(databaseUrl === undefined ? ["DATABASE_URL n’est pas défini."] : []));
		},
	},
	{
		name: "shared-files",
		what: "Documents sur disque",
		how: "sans bucket, combien de machines sont reliées à la base",
		todo: "Donnez un bucket (S3_BUCKET) ou un même volume à toutes les machines\u00a0: sinon les documents de l’une manquent aux autres.",
		async examine({ db, environment: { s3 } }) {
			if (s3 !== undefined) return skipped("bucket");
			const { rows } = await sql<{ machines: number }>`
				select count(distinct coalesce(client_addr::text, 'local'))::integer as machines from pg_stat_activity
				where datname = current_database() and application_name like 'extrait-pro%' and application_name <> 'extrait-pro doctor'`.execute(
				db,
			);
			const machines = rows[0]?.machines ?? 0;
			// allowed on one volume; where it is not one, the row of the files says which are missing here
			return machines > 1 ? skipped(`${count(machines, "machine")}\u00a0: un même volume pour toutes`) : found(count(machines, "machine"));
		},
	},
	{
		name: "secrets",
		what: "APP_SECRET",
		how: "une rotation a deux secrets, le nouveau et l’ancien, pendant trente jours",
		todo: "Retirez les anciens secrets\u00a0: ce qu’ils ont signé n’est plus valable au bout de trente jours.",
		async examine({ environment: { secrets } }) {
			const seen = secrets.length === 2 ? "deux : retirez l’ancien trente jours après l’ajout du nouveau" : count(secrets.length, "secret");
			return found(seen, ...(secrets.length > 2 ? [`APP_SECRET a ${secrets.length} secrets\u00a0: une rotation n’a pas été finie.`] : []));
		},
	},
];
