import { href } from "react-router";
import { formatLongDay } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { fillIn } from "../fill-in.ts";
import type { Table } from "../text.ts";
import { type RecipientFact, recipientFacts } from "./recipient-facts.ts";
import { type RecipientKind, recipientDetails, recipientKinds } from "./recipient-kinds.ts";

/** What the page of a kind shows beside its text. */
export interface RecipientEssentials {
	/** « Âge de l’extrait »: what the answer answers. */
	question: string;
	/** « Moins de 3 mois » */
	answer: string;
	/** How far the answer goes; null: all rows say it. */
	note: string | null;
	form: string;
	free: string;
	/** « 39,00 € TTC, en PDF »; null: nothing to sell. */
	offer: string | null;
}

export type RecipientDescription = ReturnType<typeof describeRecipient>;

/** Returns the kind whose page has this address, or null. */
export const findRecipientKind = (address: string): RecipientKind | null =>
	recipientKinds.find((kind) => address === href(`/destinataires/${kind}`)) ?? null;

/** What the parts of the page of a kind show. */
export function describeRecipient(kind: RecipientKind) {
	const facts = recipientFacts.filter((fact) => fact.kind === kind);
	return { essentials: summarize(kind, facts), table: fillIn(createTable(facts), {}), service: recipientDetails[kind].offer };
}

export type RecipientCard = ReturnType<typeof listRecipientCards>[number];

/** The kinds, for the page that lists them. */
export const listRecipientCards = () =>
	recipientKinds.map((kind) => {
		const { answer, question, free } = describeRecipient(kind).essentials;
		const { label, summary } = recipientDetails[kind];
		return fillIn({ kind, label, summary, question, answer, free }, {});
	});

function summarize(kind: RecipientKind, facts: readonly RecipientFact[]): RecipientEssentials {
	const { form, free, offer } = recipientDetails[kind];
	const price = offer && `${formatEuros(services[offer].price)} TTC, en PDF`;
	return fillIn({ ...summarizeAges(facts.map(({ age }) => age)), form, free, offer: price }, {});
}

/** The strictest age that is published, or that no extract of a known age is asked for. */
export function summarizeAges(ages: readonly RecipientFact["age"][]): Pick<RecipientEssentials, "question" | "answer" | "note"> {
	const asking = ages.filter((age) => age !== "no-extract");
	const published = asking.filter((age) => age !== null);
	if (published.length === 0) return { question: "Extrait à fournir", answer: "Aucun", note: null };
	const note =
		published.length === asking.length ? null : `publié dans ${published.length} des ${asking.length}\u00a0cas où un extrait est demandé`;
	return { question: "Âge de l’extrait", answer: `Moins ${formatMonths(Math.min(...published))}`, note };
}

const formatMonths = (months: number) => (months === 1 ? "d’un mois" : `de ${months}\u00a0mois`);

const createTable = (facts: readonly RecipientFact[]): Table => ({
	caption: "Chaque ligne renvoie à une page publique, relue à la date indiquée",
	columns: ["Destinataire", "Ce qu’il demande", "Âge", "Source"],
	rows: facts.map(({ recipient, asks, age, form, source, checkedOn }) => [
		recipient,
		form ? `${asks}. ${form}.` : `${asks}.`,
		formatAge(age),
		[{ link: source.publisher, url: source.url }, `, le ${formatLongDay(new Date(checkedOn))}`],
	]),
});

function formatAge(age: RecipientFact["age"]): string {
	if (age === null) return "aucun âge\u00a0publié";
	return age === "no-extract" ? "sans objet" : `moins ${formatMonths(age)}`.replaceAll(" ", "\u00a0");
}
