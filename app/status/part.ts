import { typedKeys } from "../../server/types/objects.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";

/** The parts of the shop that are asked whether they work, in the order and the words in which customers read of them. */
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

/** What a job that is sent on the mark may be early by, where the database's clock is ahead of the process's. */
const clockDifference = 30_000;

/** The mark that a measure belongs to: the last multiple of five minutes. Every offset of Europe/Paris is one, so days begin on marks. */
export function markOf(instant: Date): Date {
	return new Date(Math.floor((instant.getTime() + clockDifference) / interval) * interval);
}

/** How many marks there are from one instant to another, the first included where it is one, the last not. */
export function marksBetween(from: Date, until: Date): number {
	return Math.max(0, Math.ceil(until.getTime() / interval) - Math.ceil(from.getTime() / interval));
}
