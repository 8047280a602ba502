import { maxBackupAgeMs } from "../../../server/database/last-backups.ts";
import { isClockWrong, maxWaitMinutes } from "../../../server/health-limits.ts";
import { isScheduleRead } from "../../../server/jobs.ts";
import { formatHour } from "../../catalogue/instants.ts";
import type { Shop } from "../../shop.ts";
import { capitalise } from "../../ui/capitalise.ts";
import type { BackupState, HealthFacts } from "../../web/status/health.ts";
import { formatMinutes } from "../figures/figure-labels.ts";
import type { HealthProblem, ShopHealth } from "./shop-health.ts";

/** The health of the shop in sentences; null when a page should not wait for it. */
export async function readShopHealth({ environment, readHealth }: Pick<Shop, "environment" | "readHealth">): Promise<ShopHealth | null> {
	const facts = await readHealth();
	return facts && describeHealth(facts, environment.technicalContact);
}

/** Says in sentences what does not work. @param contact whom to call: a name and a number; undefined when none is set. */
export function describeHealth(facts: HealthFacts, contact: string | undefined): ShopHealth {
	const { at: now, queue, mails, backup } = facts;
	const backupProblems = describeBackupProblem(backup, now);
	const stopped = listStopped(facts);
	const problems = facts.database ? [...stopped, ...backupProblems] : stopped;
	return {
		readAt: formatHour(now),
		problems,
		todo: describeTodo({ isStopped: stopped.length > 0, isAtRisk: backupProblems.length > 0 }, contact),
		rows: [
			["Dernière sauvegarde", describeBackup(backup, now)],
			["E-mails à envoyer", mails === null ? "inconnu" : mails.unsent === 0 ? "aucun" : String(mails.unsent)],
			[
				"Plus ancienne tâche en attente",
				queue === null
					? "inconnue"
					: queue.minutes === null
						? "aucune"
						: queue.minutes < 1
							? "moins d’une minute"
							: formatMinutes(queue.minutes),
			],
			["Relevé à", formatHour(now)],
		],
	};
}

function describeTodo({ isStopped, isAtRisk }: { isStopped: boolean; isAtRisk: boolean }, contact: string | undefined): string | null {
	const call = contact ? `appelez ${contact}` : "prévenez la personne qui s’occupe du serveur";
	if (isStopped) return `Si cela dure plus de dix minutes, ${call}.`;
	return isAtRisk ? `${capitalise(call)} dans la journée.` : null;
}

function listStopped(facts: HealthFacts): HealthProblem[] {
	// the other measures need the database
	if (!facts.database)
		return [
			{
				title: "La base de données ne répond pas.",
				text: "Aucune commande ne peut être passée ni servie. Gardez vos fichiers, et attendez que ce message disparaisse.",
			},
		];
	return [...listStoppedParts(facts), ...listUnannounced(facts), ...listWrongClock(facts), ...listDelays(facts)];
}

/** Why jobs are late: one waits, or the scheduled ones are not sent, or no program does any. */
function describeJobs({ queue, scheduleAge }: HealthFacts): HealthProblem {
	const late =
		"Les livraisons, les e-mails et les remboursements partent en retard. Continuez à servir\u00a0: tout part ensuite de lui-même.";
	const minutes = queue?.minutes ?? 0;
	if (minutes >= maxWaitMinutes) return { title: `Une tâche attend depuis ${formatMinutes(minutes)}.`, text: late };
	if (!isScheduleRead(scheduleAge))
		return {
			title: "Les tâches programmées sont arrêtées.",
			text: "Les alertes avant l’heure promise, les rappels et le mail du matin ne partent plus. Continuez à servir\u00a0: surveillez vous-même les heures promises.",
		};
	return { title: "Plus aucun programme ne traite les tâches.", text: late };
}

function listStoppedParts(facts: HealthFacts): HealthProblem[] {
	const { jobs, storage, mail, payment } = facts;
	return [
		...(jobs ? [] : [describeJobs(facts)]),
		...(storage
			? []
			: [
					{
						title: "Les documents ne peuvent être ni enregistrés ni lus.",
						text: "Une livraison peut être refusée\u00a0: gardez l’extrait, et livrez-le de nouveau plus tard.",
					},
				]),
		...(mail
			? []
			: [
					{
						title: "Le serveur d’e-mails ne répond pas.",
						text: "Livrez normalement\u00a0: les e-mails sont gardés et partent dès qu’il répond. Les clients trouvent leur extrait sur la page de suivi.",
					},
				]),
		...(payment
			? []
			: [
					{
						title: "Le prestataire de paiement ne répond pas.",
						text: "Les clients ne peuvent pas payer, et les remboursements attendent. Les commandes déjà payées se servent normalement.",
					},
				]),
	];
}

function listUnannounced({ payment, unannounced }: HealthFacts): HealthProblem[] {
	if (!payment || !unannounced) return [];
	return [
		{
			title: "Le prestataire de paiement n’annonce plus les paiements.",
			text: "La boutique les trouve d’elle-même en deux ou trois minutes : les commandes arrivent seulement un peu plus tard.",
		},
	];
}

function listWrongClock({ clockAhead }: HealthFacts): HealthProblem[] {
	if (clockAhead === null || !isClockWrong(clockAhead)) return [];
	return [
		{
			title: `L’horloge du serveur ${clockAhead > 0 ? "avance" : "retarde"} de ${formatDifference(clockAhead)}.`,
			text: "Les heures promises et les heures affichées sont fausses d’autant, et un écart plus grand arrêterait les paiements. Continuez à servir\u00a0: fiez-vous à votre montre.",
		},
	];
}

/** « 45 s », « 7 min » */
const formatDifference = (milliseconds: number) =>
	Math.abs(milliseconds) < 60_000 ? `${Math.round(Math.abs(milliseconds) / 1000)}\u00a0s` : formatMinutes(Math.abs(milliseconds) / 60_000);

/** E-mails that wait although the server answers. */
function listDelays({ mail, mails }: HealthFacts): HealthProblem[] {
	if (!mail || mails === null) return [];
	const minutes = Math.floor(mails.age / 60);
	if (minutes < maxWaitMinutes) return [];
	const what = mails.unsent === 1 ? "Un e-mail attend" : `${mails.unsent} e-mails attendent`;
	return [
		{
			title: `${what} depuis ${formatMinutes(minutes)}.`,
			text: "Si un client pressé n’a rien reçu, donnez-lui son numéro de commande\u00a0: l’extrait est sur la page de suivi.",
		},
	];
}

function describeBackupProblem(backup: BackupState, now: Date): HealthProblem[] {
	const text = "Les commandes ne sont pas touchées, mais une panne ferait perdre des données.";
	switch (backup.state) {
		case "untracked":
			return [];
		case "unknown":
			return [{ title: "La boutique ne connaît aucune sauvegarde.", text }];
		case "unreadable":
			return [{ title: "Le dossier des sauvegardes ne peut pas être lu.", text }];
		case "failing":
			return [{ title: "La sauvegarde échoue.", text }];
		case "known": {
			if (backup.at === null) return [{ title: "Aucune sauvegarde n’a encore été faite.", text }];
			const age = now.getTime() - backup.at.getTime();
			return age > maxBackupAgeMs ? [{ title: `La dernière sauvegarde a ${formatMinutes(age / 60_000)}.`, text }] : [];
		}
	}
}

function describeBackup(backup: BackupState, now: Date): string {
	if (backup.state === "untracked") return "non suivie dans la démonstration";
	if (backup.state !== "known") return { unknown: "inconnue", unreadable: "illisible", failing: "en échec" }[backup.state];
	return backup.at === null ? "aucune" : `il y a ${formatMinutes((now.getTime() - backup.at.getTime()) / 60_000)}`;
}
