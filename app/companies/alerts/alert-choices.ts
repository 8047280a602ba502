import { typedKeys } from "../../../server/types/objects.ts";
import type { NoticeFamily } from "../bulletin/notice.ts";

/** How often an alert is sent. */
export type AlertFrequency = "at-once" | "weekly";

export const frequencyLabels: Record<AlertFrequency, string> = {
	"at-once": "À chaque annonce",
	weekly: "Une fois par semaine, le lundi",
};

/** Families of notices as people choose them. */
export type AlertTopic = "changes" | "creations" | "removals" | "proceedings" | "sales" | "accounts";

export const alertTopics: Record<AlertTopic, { label: string; families: readonly NoticeFamily[] }> = {
	changes: { label: "Modifications (capital, dirigeants, siège…) et autres annonces", families: ["modification", "other"] },
	creations: { label: "Immatriculations et créations", families: ["immatriculation", "creation"] },
	removals: { label: "Radiations et transferts", families: ["radiation", "transfert"] },
	proceedings: { label: "Procédures collectives et conciliations", families: ["collective", "conciliation"] },
	sales: { label: "Ventes et cessions", families: ["vente"] },
	accounts: { label: "Dépôts des comptes", families: ["dpc"] },
};

export interface AlertChoices {
	frequency: AlertFrequency;
	topics: AlertTopic[];
}

/** Yearly accounts are left out: they say little, and every company files them. */
export const defaultChoices: AlertChoices = {
	frequency: "at-once",
	topics: typedKeys(alertTopics).filter((topic) => topic !== "accounts"),
};

/** Said beside the topics when none is chosen. */
export const noTopicSentence = "Choisissez au moins un type d’annonce.";

/**
 * Reads the choices of a form. Values that the form does not have are ignored; an unknown frequency is the default.
 * @returns the topics in the order of the form, and none when none was chosen.
 */
export function readChoices(form: Pick<FormData, "get" | "getAll">): AlertChoices {
	const chosen = form.getAll("topic");
	const frequency = form.get("frequency");
	return {
		frequency: frequency === "weekly" ? frequency : defaultChoices.frequency,
		topics: typedKeys(alertTopics).filter((topic) => chosen.includes(topic)),
	};
}

/** « À chaque annonce : ventes et cessions, dépôts des comptes » */
export function formatChoices({ frequency, topics }: AlertChoices): string {
	const all = typedKeys(alertTopics).length === topics.length;
	const labels = topics.map((topic) => alertTopics[topic].label.replace(/ \([^()]*\)/, "").toLowerCase());
	return `${frequencyLabels[frequency]}\u00a0: ${all ? "toutes les annonces" : labels.join(", ")}`;
}
