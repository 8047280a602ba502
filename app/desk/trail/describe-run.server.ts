import { isKeyOf } from "../../../server/types/objects.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import type { Changes } from "../acts/act.ts";
import { findActByName, labelAct } from "../acts/act-table.server.ts";
import type { DeskLogEntry } from "../log/desk-log.store.server.ts";
import { verbs } from "../log/verbs.ts";

/** What changes by what is no act. */
const otherChanges: Changes = {
	devices: "Appareils",
	found: "Commandes trouvées",
	from: "Du",
	left: "Hors du PDF",
	letters: "Courriers",
	messages: "Messages",
	orders: "Commandes",
	person: "Personne",
	to: "Au",
	undone: "Actions annulées",
	unreadable: "Illisibles",
};

/** What was done: « Livrer l’extrait », « Annuler « Rembourser » », « Terminal : orders upload ». */
export function describeVerb({ verb, change }: Pick<DeskLogEntry, "verb" | "change">): string {
	const words = findActByName(verb)?.label ?? (isKeyOf(verbs, verb) ? verbs[verb] : `Terminal\u00a0: ${verb}`);
	const act = change?.after?.act;
	return typeof act === "string" ? `${words} «\u00a0${labelAct(act)}\u00a0»` : words;
}

export interface ShownChange {
	name: string;
	/** Null: there was nothing before. */
	before: string | null;
	after: string;
}

const isNothing = (value: unknown) => value === undefined || value === null || value === "";

/** Describes what was changed, field by field. @param people the operators' names by id. */
export function describeChange(
	{ verb, change }: Pick<DeskLogEntry, "verb" | "change">,
	people: ReadonlyMap<string, string>,
): ShownChange[] {
	const { before = {}, after = {} } = change ?? {};
	const { act: _, ...names } = { ...before, ...after };
	const changes: Changes = { ...(findActByName(verb)?.changes ?? otherChanges), refusal: "Motif" };
	return Object.keys(names)
		.filter((key) => !(isNothing(before[key]) && isNothing(after[key])))
		.map((key) => {
			const known = changes[key] ?? key;
			const { name, format = formatAny } = typeof known === "string" ? { name: known } : known;
			const write = (value: unknown) =>
				people.get(String(value)) ?? (typeof value === "string" || typeof value === "number" ? format(value) : JSON.stringify(value));
			return {
				name,
				before: isNothing(before[key]) ? null : write(before[key]),
				after: isNothing(after[key]) ? "rien" : write(after[key]),
			};
		});
}

const formatAny = (value: string | number): string => {
	const text = String(value);
	return /^20\d\d-\d\d-\d\d$/.test(text) ? formatLongDay(new Date(`${text}T12:00:00Z`)) : shortenId(text);
};

/** Identifiers and hashes are told apart by their first characters. */
export const shortenId = (text: string) => (/^[0-9a-f-]{36}$|^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 8)}…` : text);
