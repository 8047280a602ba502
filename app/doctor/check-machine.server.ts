import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { sql } from "kysely";
import { type Check, count, type Examined, type Found, found, skipped } from "./check.ts";

/** Bytes that a data folder must have left. */
const enoughDisk = 2 ** 30;

/** Milliseconds: a backup a day, with two hours for it to be made. */
const oldestBackup = 26 * 3_600_000;

const day = 86_400_000;

/** Days: Let's Encrypt renews thirty days before the end; what has not been renewed by then will not be. */
const fewDays = 14;

/** Milliseconds that a partner is given to answer. */
const patience = 5000;

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1).replace(".", ",")}\u00a0Go`;
const hours = (age: number) => `${Math.floor(age / 3_600_000)}\u00a0h`;

export const machineChecks: Check[] = [
	{
		name: "disk",
		what: "Disque de DATA_DIR",
		how: "il y reste au moins 1 Go",
		todo: "Libérez de la place ou agrandissez ce disque.",
		async examine({ environment: { dataDir } }) {
			const { bavail, bsize } = await statfs(dataDir);
			const seen = `${gigabytes(bavail * bsize)} libres`;
			return found(seen, ...(bavail * bsize < enoughDisk ? [`${seen} dans ${dataDir}.`] : []));
		},
	},
	{
		name: "backup",
		what: "Dernière sauvegarde",
		how: "moins de 26 heures\u00a0: l’archivage de PostgreSQL, et le fichier le plus récent de BACKUP_DIR, ni vide ni en cours (.part)",
		todo: "Lancez la sauvegarde et cherchez pourquoi elle ne s’est pas faite (docs/backup.md).",
		async examine(of) {
			const { backupDir, production } = of.environment;
			const kinds = [await examineArchiving(of), backupDir === undefined ? null : await examineDumps(of, backupDir)];
			const backups = kinds.filter((kind) => kind !== null);
			if (backups.length > 0) return found(backups.map(({ seen }) => seen).join(", "), ...backups.flatMap(({ problems }) => problems));
			if (!production) return skipped("démonstration, ni archivage ni BACKUP_DIR");
			return found("aucune", "Aucune sauvegarde n’est connue\u00a0: ni archivage (archive_mode), ni BACKUP_DIR.");
		},
	},
	{
		name: "certificate",
		what: "Certificat de BASE_URL",
		how: `valable encore ${fewDays} jours au moins`,
		todo: "Renouvelez le certificat, et cherchez pourquoi le proxy ne l’a pas fait.",
		async examine({ environment: { baseUrl }, now }) {
			const { protocol, hostname, port } = new URL(baseUrl);
			if (protocol !== "https:") return skipped("http");
			const { until, trusted } = await readCertificate(hostname, Number(port || 443));
			const days = Math.floor((until.getTime() - now().getTime()) / day);
			const left = count(days, "jour");
			// one that has expired is not believed for that
			if (days < 0) return found("expiré", "Le certificat a expiré.");
			return found(
				`encore ${left}`,
				...(days < fewDays ? [`Le certificat expire dans ${left}.`] : []),
				...(trusted === null ? [] : [`Le certificat n’est pas reconnu (${trusted}).`]),
			);
		},
	},
	{
		name: "storage",
		what: "Stockage des documents",
		how: "il donne la liste de ses fichiers",
		todo: "Voyez l’adresse, la clé et le réseau du bucket, ou les droits du dossier.",
		async examine({ storage }) {
			await within(patience, storage.list()[Symbol.asyncIterator]().next());
			return found("répond");
		},
	},
	{
		name: "mail",
		what: "E-mails",
		how: "le serveur répond et reconnaît la boutique",
		todo: "Voyez SMTP_URL\u00a0: adresse, mot de passe, et si le port sortant est ouvert.",
		async examine({ environment: { smtpUrl }, mailer }) {
			if (smtpUrl === undefined) return skipped("démonstration, les e-mails sont des fichiers");
			return tellAnswer(await within(patience, mailer.ready()), "Le serveur d’e-mails");
		},
	},
	{
		name: "payment",
		what: "Paiement",
		how: "le prestataire répond et reconnaît la boutique",
		todo: "Voyez STRIPE_SECRET_KEY et status.stripe.com.",
		async examine({ provider }) {
			if (provider === undefined) return skipped("démonstration, bac à sable");
			return tellAnswer(await within(patience, provider.ready()), "Le prestataire");
		},
	},
];

const tellAnswer = (ready: boolean, who: string) => (ready ? found("répond") : found("ne répond pas", `${who} ne répond pas, ou refuse.`));

const tellAge = (what: string, age: number) => {
	const seen = `${what} il y a ${hours(age)}`;
	return found(seen, ...(age > oldestBackup ? [`Dernière sauvegarde\u00a0: ${seen}.`] : []));
};

/** What continuous archiving says; null where it is off. */
async function examineArchiving({ db, now }: Examined): Promise<Found | null> {
	const { rows } = await sql<{ mode: string; archived: Date | null; failed: Date | null }>`
		select current_setting('archive_mode') as mode, last_archived_time as archived, last_failed_time as failed from pg_stat_archiver`.execute(
		db,
	);
	const { mode = "off", archived = null, failed = null } = rows[0] ?? {};
	if (mode === "off") return null;
	if (failed !== null && (archived === null || failed > archived))
		return found("l’archivage échoue", "L’archivage de PostgreSQL échoue\u00a0: archive_command, et le journal de PostgreSQL.");
	if (archived === null) return found("rien d’archivé", "L’archivage de PostgreSQL n’a encore rien gardé.");
	return tellAge("archivage", now().getTime() - archived.getTime());
}

async function examineDumps({ now }: Examined, folder: string): Promise<Found> {
	const newest = await findNewestDump(folder);
	if (newest === null) return found("aucun fichier", `${folder} ne contient aucune sauvegarde finie.`);
	return tellAge("fichier", now().getTime() - newest.getTime());
}

/** An empty file is none, nor one that is still being written (deploy/). */
async function findNewestDump(folder: string): Promise<Date | null> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	let newest: Date | null = null;
	for (const entry of entries) {
		if (!entry.isFile() || entry.name.endsWith(".part")) continue;
		const { mtime, size } = await stat(join(entry.parentPath, entry.name));
		if (size > 0 && (newest === null || mtime > newest)) newest = mtime;
	}
	return newest;
}

/** The end of a site's certificate, and why this machine would not believe it: null when it does. */
function readCertificate(host: string, port: number): Promise<{ until: Date; trusted: string | null }> {
	return new Promise((done, fail) => {
		// its end is read also where it is not believed
		const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: patience }, () => {
			const until = new Date(socket.getPeerCertificate().valid_to);
			done({ until, trusted: socket.authorized ? null : String(socket.authorizationError) });
			socket.destroy();
		});
		socket.once("timeout", () => socket.destroy(new Error("the site does not answer")));
		socket.once("error", fail);
	});
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(new Error("pas de réponse")), milliseconds);
	try {
		return await Promise.race([work, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
