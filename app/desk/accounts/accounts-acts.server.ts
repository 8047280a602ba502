import { closeMonth } from "../../books/closing/close-month.server.ts";
import { formatCloseRefusal } from "../../books/closing/close-refusals.ts";
import type { Flow } from "../../books/e-reporting/period.ts";
import { formatPrepareRefusal } from "../../books/e-reporting/prepare-refusals.ts";
import { prepareReport } from "../../books/e-reporting/prepare-report.server.ts";
import { fecFields } from "../../books/files/journal-files.ts";
import { emptyColumn } from "../../books/files/journal-layouts.ts";
import { recordExtractCost } from "../../books/files/record-extract-cost.server.ts";
import { type Day, formatMonthTitle, type Month, parseMonth } from "../../books/month.ts";
import { updateAccounts } from "../../books/update-accounts.server.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { setBooks } from "../../catalogue/settings/change-settings.server.ts";
import { describeSetting, settingRefusals } from "../../catalogue/settings/describe-settings.ts";
import { type BooksSettings, monthNames } from "../../catalogue/settings/shop-settings.ts";
import { type OrderNumber, parseOrderNumber } from "../../orders/order-number.server.ts";
import { defineAct, defineOrderAct, refuse } from "../acts/act.ts";
import { euros, type FieldParser, oneOf, refuseField, value } from "../acts/fields.ts";

const month: FieldParser<Month> = (typed = "") => {
	const parsed = parseMonth(typed);
	return parsed === null ? refuseField("Ce mois n’existe pas.", null) : value(parsed);
};

const number: FieldParser<OrderNumber> = (typed = "") => {
	const parsed = parseOrderNumber(typed);
	return parsed === null ? refuseField("Ce numéro de commande ne se lit pas.") : value(parsed);
};

const customers = oneOf<BooksSettings["customers"]>(["order", "collective"], "Choisissez le compte des clients.");

/** 1 to 12. */
const yearStart: FieldParser<number> = (typed = "") => {
	const first = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
	return first >= 1 && first <= monthNames.length ? value(first) : refuseField("Choisissez le mois où commence l’exercice.");
};

const layout = oneOf<BooksSettings["layout"]>(["none", "sage100", "own"], "Choisissez le journal.");

/** More are no file that a person reads. */
const mostColumns = 40;

/** The names of the FEC's fields, in any case, as they were typed one after the other. */
const ownColumns: FieldParser<string[]> = (typed = "", { layout: asked }) => {
	const names = typed.split(/[\s,;]+/).filter(Boolean);
	if (asked === "own" && names.length === 0) return refuseField("Écrivez les colonnes, dans l’ordre de votre logiciel.");
	if (names.length > mostColumns) return refuseField(`Écrivez au plus ${mostColumns} colonnes.`);
	const columns = names.map((name) => [emptyColumn, ...fecFields].find((known) => known.toLowerCase() === name.toLowerCase()));
	const unknown = columns.indexOf(undefined);
	if (unknown >= 0)
		return refuseField(`La colonne ${unknown + 1} n’existe pas\u00a0: écrivez les noms du FEC, ou un tiret pour une colonne vide.`);
	return value(columns.filter((name) => name !== undefined));
};

const salesPeriod = oneOf<BooksSettings["salesPeriod"]>(["decade", "month"], "Choisissez la période des ventes.");

/** Its number (TT-8) and name, or neither. */
const platform: FieldParser<BooksSettings["platform"]> = (_, { platformId = "", platformName = "" }) => {
	const [id, name] = [platformId.trim().toUpperCase(), platformName.trim()];
	if (id === "" && name === "") return value(null);
	if (!/^[0-9A-Z]{4}$/.test(id)) return refuseField("Le matricule d’une plateforme agréée a quatre caractères.", "platformId");
	if (name === "" || name.length > 100) return refuseField("Donnez le nom de la plateforme.", "platformName");
	return value({ id, name });
};

/** A day as the page wrote it. */
const day: FieldParser<Day> = (typed = "") =>
	/^\d{4}-\d\d-\d\d$/.test(typed) ? value(typed as Day) : refuseField("Cette période n’existe pas.", null);

const formatMonth = (text: string | number) => {
	const parsed = parseMonth(String(text));
	return parsed === null ? String(text) : formatMonthTitle(parsed);
};

/** In cents. */
const cost = { name: "Coût", format: (amount: string | number) => formatEuros(cents(Number(amount))) };

const unknownOrder = "Cette commande n’existe pas.";

/** What the accountant does; who serves an order notes what its extract cost. */
export const accountsActs = [
	defineAct({
		name: "update-accounts",
		role: "accounts",
		label: "Mettre les comptes à jour",
		fields: {},
		async run({ shop }) {
			const updated = await updateAccounts(shop);
			return updated.ok
				? { ok: true, text: `Écritures passées\u00a0: ${updated.posted}. Mouvements lus\u00a0: ${updated.movements}.` }
				: refuse("Le prestataire de paiement ne répond pas. Les écritures connues ici sont passées. Réessayez plus tard.");
		},
	}),
	defineAct({
		name: "close-month",
		role: "accounts",
		label: "Clôturer un mois",
		fields: {
			month,
			// the hash of the entries that the accountant read
			seen: (typed = "") => (/^[0-9a-f]{64}$/.test(typed) ? value(typed) : refuseField("Ce mois n’existe pas.", null)),
			confirmed: (typed) => (typed === undefined ? refuseField("Cochez que vous avez relu les sommes.") : value(true)),
		},
		async run({ shop, actor }, { month, seen }) {
			const closed = await closeMonth(shop, month, { closedBy: actor.name, seen });
			if (!closed.ok) return refuse(formatCloseRefusal(closed));
			const name = formatMonthTitle(month);
			return { ok: true, text: closed.again ? `${name} était déjà clôturé.` : `${name} est clôturé.`, after: { month, entries: seen } };
		},
		changes: { month: { name: "Mois", format: formatMonth }, entries: "Empreinte des écritures" },
	}),
	defineAct({
		name: "set-books",
		role: "accounts",
		label: "Régler le logiciel de comptabilité",
		fields: { customers, yearStart, layout, ownColumns, salesPeriod, platform },
		async run({ shop, actor }, books) {
			const outcome = await setBooks(shop, { id: actor.id, name: actor.name }, books);
			if (!outcome.ok) return refuse(settingRefusals[outcome.code]);
			const describe = (value: unknown) => ({ books: describeSetting("books", value as BooksSettings, null) });
			return { ok: true, text: "C’est enregistré.", before: describe(outcome.before), after: describe(outcome.after) };
		},
		changes: { books: "Logiciel de comptabilité" },
	}),
	defineAct({
		name: "prepare-e-report",
		role: "accounts",
		label: "Préparer une transmission d’e-reporting",
		fields: { flow: oneOf<Flow>(["sales", "payments"], "Cette période n’existe pas."), start: day, end: day },
		async run({ shop, actor }, { flow, start, end }) {
			const prepared = await prepareReport(shop, { flow, period: { start, end }, by: actor.name });
			if (!prepared.ok) return refuse(formatPrepareRefusal(prepared));
			const { id } = prepared.report;
			return { ok: true, text: prepared.again ? `${id} est déjà prêt\u00a0: rien n’a changé.` : `${id} est prêt.`, after: { report: id } };
		},
		changes: { report: "Transmission" },
	}),
	defineOrderAct({
		name: "extract-cost",
		role: "serve",
		label: "Noter le coût de l’extrait",
		fields: { amount: euros },
		async run({ shop, order }, { amount: cost }) {
			if (!(await recordExtractCost(shop, order.order_number, cost)).ok) return refuse(unknownOrder);
			return { ok: true, text: `Coût de l’extrait\u00a0: ${formatEuros(cost)}.`, after: { cost } };
		},
		changes: { cost },
	}),
	defineAct({
		name: "record-extract-cost",
		role: "accounts",
		label: "Noter le coût d’un extrait",
		fields: { number, amount: euros },
		async run({ shop }, { number: order, amount: cost }) {
			const recorded = await recordExtractCost(shop, order, cost);
			if (!recorded.ok) return refuse(unknownOrder, "number");
			return { ok: true, text: `Coût de l’extrait de ${order}\u00a0: ${formatEuros(cost)}.`, after: { order, cost } };
		},
		changes: { order: "Commande", cost },
	}),
];
