import { typedKeys } from "../../../server/types/objects.ts";
import { minutesBetween } from "../../catalogue/status-interval.ts";

/** The parts of the shop that are probed, in the order and with the labels that customers see. */
export const partLabels = {
	database: "Site et base de données",
	search: "Recherche d’entreprises",
	payment: "Paiement par carte",
	jobs: "Traitement des commandes",
	storage: "Documents et téléchargement",
	mail: "E-mails",
} as const;

export type Part = keyof typeof partLabels;

export const partNames = typedKeys(partLabels);

const interval = minutesBetween * 60_000;

/** How early a job may run when the clock of the database is ahead of the process's. */
const clockDifference = 30_000;

/** The due instant of a probe: the last multiple of five minutes. Each day in Europe/Paris starts at such an instant. */
export function toProbeTime(instant: Date): Date {
	return new Date(Math.floor((instant.getTime() + clockDifference) / interval) * interval);
}

/** The number of probes due between two instants, including the first and excluding the last. */
export function countProbeTimes(from: Date, until: Date): number {
	return Math.max(0, Math.ceil(until.getTime() / interval) - Math.ceil(from.getTime() / interval));
}
