import { typedKeys } from "../../server/types/objects.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";

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

/** How early a job may run where the database's clock is ahead of the process's. */
const clockDifference = 30_000;

/** The instant that a probe counts for: the last multiple of five minutes. Days of Europe/Paris begin on such an instant. */
export function toProbeTime(instant: Date): Date {
	return new Date(Math.floor((instant.getTime() + clockDifference) / interval) * interval);
}

/** How many probes are due from one instant to another: the first instant included, the last not. */
export function countProbeTimes(from: Date, until: Date): number {
	return Math.max(0, Math.ceil(until.getTime() / interval) - Math.ceil(from.getTime() / interval));
}
