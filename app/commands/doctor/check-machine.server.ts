import { statfs } from "node:fs/promises";
import { connect } from "node:tls";
import { findLastBackups, type LastBackup, maxBackupAgeMs } from "../../../server/database/last-backups.ts";
import { day, hour } from "../../../server/durations.ts";
import { isClockWrong, maxClockAhead } from "../../../server/health-limits.ts";
import { type Check, type CheckResult, createResult, type DoctorContext, formatCount, skipCheck } from "./check.ts";

/** Bytes that must be free for the data folder. */
const minFreeBytes = 2 ** 30;

/** Days. Let's Encrypt renews thirty days before the end, so by then the renewal has failed. */
const minCertificateDays = 14;

/** Milliseconds for a partner's answer. */
const partnerTimeoutMs = 5000;

const formatGigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
const formatHours = (ageMs: number) => `${Math.floor(ageMs / hour)} h`;

export const machineChecks: Check[] = [
	{
		name: "disk",
		what: "Disk of DATA_DIR",
		how: "at least 1 GB is free",
		todo: "Free space or enlarge the disk.",
		async examine({ environment: { dataDir } }) {
			const { bavail, bsize } = await statfs(dataDir);
			const seen = `${formatGigabytes(bavail * bsize)} free`;
			return createResult(seen, ...(bavail * bsize < minFreeBytes ? [`${seen} in ${dataDir}.`] : []));
		},
	},
	{
		name: "backup",
		what: "Last backup",
		how: "less than 26 hours old: PostgreSQL's archiving, and the newest file of BACKUP_DIR, not empty and not unfinished (.part)",
		todo: "Run the backup, and find out why it did not run (docs/backup.md).",
		async examine(context) {
			const { backupDir, production } = context.environment;
			const backups = (await findLastBackups(context.db, backupDir)).map((backup) => examineBackup(backup, context));
			if (backups.length > 0)
				return createResult(backups.map(({ seen }) => seen).join(", "), ...backups.flatMap(({ problems }) => problems));
			if (!production) return skipCheck("demo, neither archiving nor BACKUP_DIR");
			return createResult("none", "No backup is known: neither archiving (archive_mode) nor BACKUP_DIR.");
		},
	},
	{
		name: "certificate",
		what: "Certificate of BASE_URL",
		how: `valid for at least ${minCertificateDays} days`,
		todo: "Renew the certificate, and find out why the proxy did not.",
		async examine({ environment: { baseUrl }, now }) {
			const { protocol, hostname, port } = new URL(baseUrl);
			if (protocol !== "https:") return skipCheck("http");
			const { until, trusted } = await readCertificate(hostname, Number(port || 443));
			const days = Math.floor((until.getTime() - now().getTime()) / day);
			const daysLeft = formatCount(days, "day");
			// an expired certificate is untrusted for that reason alone
			if (days < 0) return createResult("expired", "The certificate has expired.");
			return createResult(
				`${daysLeft} left`,
				...(days < minCertificateDays ? [`The certificate expires in ${daysLeft}.`] : []),
				...(trusted === null ? [] : [`The certificate is not trusted (${trusted}).`]),
			);
		},
	},
	{
		name: "storage",
		what: "Storage of documents",
		how: "it lists its files",
		todo: "Check the URL, the key and the network of the bucket, or the permissions of the folder.",
		async examine({ storage }) {
			await withTimeout(partnerTimeoutMs, storage.list()[Symbol.asyncIterator]().next());
			return createResult("answers");
		},
	},
	{
		name: "mail",
		what: "E-mail",
		how: "the server answers and accepts the shop's credentials",
		todo: "Check SMTP_URL (host, password) and whether the outgoing port is open.",
		async examine({ environment: { smtpUrl }, mailer }) {
			if (smtpUrl === undefined) return skipCheck("demo, e-mails are files");
			return createReadyResult(await withTimeout(partnerTimeoutMs, mailer.ready()), "The e-mail server");
		},
	},
	{
		name: "payment",
		what: "Payment",
		how: "the provider answers and accepts the shop's key",
		todo: "Check STRIPE_SECRET_KEY and status.stripe.com.",
		async examine({ provider }) {
			if (provider === undefined) return skipCheck("demo, sandbox");
			return createReadyResult((await withTimeout(partnerTimeoutMs, provider.ready())).ok, "The provider");
		},
	},
	{
		name: "provider-clock",
		what: "Clock and the payment provider's",
		how: `they differ by ${maxClockAhead / 1000} seconds at most`,
		todo: "Synchronise this machine by NTP, and look at the others (docs/operations.md, ClockWrong).",
		async examine({ provider }) {
			if (provider === undefined) return skipCheck("demo, sandbox");
			const ready = await withTimeout(partnerTimeoutMs, provider.ready());
			if (!ready.ok || ready.clockAhead === null) return skipCheck("unknown");
			const difference = `${formatCount(Math.round(Math.abs(ready.clockAhead) / 1000), "second")} ${ready.clockAhead < 0 ? "behind" : "ahead"}`;
			return createResult(difference, ...(isClockWrong(ready.clockAhead) ? [`This machine is ${difference}.`] : []));
		},
	},
];

const createReadyResult = (ready: boolean, partner: string) =>
	ready ? createResult("answers") : createResult("does not answer", `${partner} does not answer, or refuses.`);

const createAgeResult = (kind: string, ageMs: number) => {
	const seen = `${kind} ${formatHours(ageMs)} ago`;
	return createResult(seen, ...(ageMs > maxBackupAgeMs ? [`Last backup: ${seen}.`] : []));
};

function examineBackup({ kind, at, isFailing }: LastBackup, { environment, now }: DoctorContext): CheckResult {
	if (isFailing) return createResult("archiving fails", "PostgreSQL's archiving fails: check archive_command and the log of PostgreSQL.");
	if (at !== null) return createAgeResult(kind, now().getTime() - at.getTime());
	return kind === "archiving"
		? createResult("nothing archived", "PostgreSQL has archived nothing yet.")
		: createResult("no file", `${environment.backupDir} contains no finished backup.`);
}

/** Reads the end of a site's certificate, and why this machine does not trust it; null when it does. */
function readCertificate(host: string, port: number): Promise<{ until: Date; trusted: string | null }> {
	return new Promise((resolve, reject) => {
		// reads the end of untrusted certificates as well
		const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: partnerTimeoutMs }, () => {
			const until = new Date(socket.getPeerCertificate().valid_to);
			resolve({ until, trusted: socket.authorized ? null : String(socket.authorizationError) });
			socket.destroy();
		});
		socket.once("timeout", () => socket.destroy(new Error("the site does not answer")));
		socket.once("error", reject);
	});
}

async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	const timeout = Promise.withResolvers<never>();
	const timer = setTimeout(() => timeout.reject(new Error("no answer")), milliseconds);
	try {
		return await Promise.race([work, timeout.promise]);
	} finally {
		clearTimeout(timer);
	}
}
