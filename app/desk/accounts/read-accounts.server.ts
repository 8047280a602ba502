import { href } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import { type Finding, formatFinding, isBlocking } from "../../books/checks/finding.ts";
import { formatPeriod, formatPrepareRefusal } from "../../books/e-reporting/prepare-refusals.ts";
import { listReportStates, type ReportState } from "../../books/e-reporting/prepare-report.server.ts";
import { findLastClosed } from "../../books/entries.store.server.ts";
import { listImportFiles } from "../../books/files/import-files.server.ts";
import { fecFields } from "../../books/files/journal-files.ts";
import { monthFiles } from "../../books/files/month-files.server.ts";
import { explainBases, explainVat } from "../../books/files/vat-difference.ts";
import { formatRate } from "../../books/files/vat-statement.ts";
import { countClosedMonths, type FiscalYear, findFiscalYear } from "../../books/fiscal-year.ts";
import { formatMonthTitle, getLastDay, getMonth, type Month } from "../../books/month.ts";
import { findLastUpdate, listMonths, type MonthDetail, readMonth } from "../../books/overview/read-month.server.ts";
import { formatDay, formatDayStamp, formatInstant } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { describeSetting } from "../../catalogue/settings/describe-settings.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import type { Shop } from "../../shop.ts";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import type { AccountsView, Figure, MonthView, ReportView, YearRow } from "./accounts-views.ts";

/** Sentences of each kind on the page of a month; the files have all. */
const maxSentences = 50;

const euros = (amount: number) => formatEuros(cents(amount));

/** The months, the newest first. */
export async function readAccounts(shop: Shop): Promise<AccountsView> {
	const [months, { postedAt, readUntil }, lastClosed, { books }] = await Promise.all([
		...([listMonths(shop), findLastUpdate(shop.db), findLastClosed(shop.db), readSettings(shop.db)] as const),
	]);
	const years = new Map(months.map(({ month }) => findFiscalYear(month, books.yearStart)).map((each) => [each.year, each]));
	return {
		years: [...years.values()].map((fiscalYear) => describeYear(fiscalYear, lastClosed)),
		hasTwoSeries: books.yearStart !== 1,
		books,
		columns: fecFields,
		booksText: describeSetting("books", books, null),
		rows: months.map((sums) => ({
			month: sums.month,
			name: formatMonthTitle(sums.month),
			closed: sums.closedAt && formatDayStamp(sums.closedAt),
			running: sums.month >= getMonth(shop.now()),
			figures: describeSums(sums),
		})),
		postedAt: postedAt && formatDayStamp(postedAt),
		readUntil: readUntil && formatDayStamp(readUntil),
	};
}

function describeReports(month: Month, { flow, period, reports, isDue, refusal }: ReportState): ReportView {
	const last = reports.at(-1);
	const changed = last && `Cette période a changé depuis la transmission du ${formatDayStamp(last.madeAt)}.`;
	const reason = refusal && formatPrepareRefusal(refusal);
	return {
		title: `${flow === "sales" ? "Ventes" : "Paiements"} ${formatPeriod(period)}`,
		note: isDue ? [changed, reason].filter(Boolean).join(" ") || null : null,
		files: reports.map(({ id, type, madeAt, madeBy }) => ({
			href: href("/bureau/comptes/:month/:file", { month, file: id }),
			name: `${id}.xml`,
			made: `${type === "IN" ? "Initiale" : "Rectificative"}, préparée le ${formatDayStamp(madeAt)} par ${madeBy}`,
		})),
		form: isDue && refusal === null ? { flow, ...period, label: last ? "Préparer une rectification" : "Préparer la transmission" } : null,
	};
}

function describeYear(fiscalYear: FiscalYear, lastClosed: Month | null): YearRow {
	const closed = countClosedMonths(fiscalYear, lastClosed);
	return {
		name: `Exercice finissant le ${formatDay(new Date(`${getLastDay(fiscalYear.last)}T12:00:00Z`))}`,
		href: href("/bureau/comptes/exercice/:year/fec", { year: String(fiscalYear.year) }),
		provisional: closed === 12 ? null : `${closed}\u00a0mois clôturé${closed > 1 ? "s" : ""} sur 12\u00a0: provisoire`,
	};
}

function describeSums({ sales, vat, receipts, refunds, fees, paidOut }: MonthDetail["sums"]): Figure[] {
	return [
		{ label: "Ventes HT (facturé dans le mois)", value: euros(sales) },
		{ label: "TVA à déclarer (encaissé dans le mois)", value: euros(vat) },
		{ label: "Encaissé", value: euros(receipts) },
		{ label: "Remboursé", value: euros(refunds) },
		{ label: "Frais", value: euros(fees) },
		{ label: "Viré en banque", value: euros(paidOut) },
	];
}

/** One month with its checks and files; null without entries. */
export async function readAccountsMonth(shop: Shop, month: Month): Promise<MonthView | null> {
	const detail = await readMonth(shop, month);
	if (detail === null) return null;
	const { books } = await readSettings(shop.db);
	const { sums, rates, vatDifference, margin, invoices, over, findings, closing, hash } = detail;
	const [blocking, remarks] = [findings.filter(isBlocking), findings.filter((finding) => !isBlocking(finding))];
	const shown = (list: Finding[]) => list.slice(0, maxSentences).map((finding) => setFrenchSpaces(formatFinding(finding)));
	return {
		month,
		name: formatMonthTitle(month),
		state: closing ? "closed" : over ? "open" : "running",
		closed: closing && `${formatInstant(closing.closedAt)}, par ${closing.closedBy}`,
		figures: [
			...describeSums(sums),
			{ label: "Coût des extraits", value: euros(margin.cost) },
			{ label: "Marge (sur l’encaissé HT)", value: euros(margin.margin) },
			{ label: "Écritures", value: String(sums.entries) },
		],
		bases: explainBases(vatDifference),
		vatDifference: explainVat(vatDifference, shop.environment.accountNumbers.vat),
		vat: rates.map(({ rate, sales, creditNotes, total }) => ({
			rate: formatRate(rate),
			sales: euros(sales.net),
			creditNotes: euros(creditNotes.net),
			net: euros(total.net),
			vat: euros(total.vat),
		})),
		blocking: closing ? [] : shown(blocking),
		remarks: shown(remarks),
		hidden: [...(closing ? [] : blocking.slice(maxSentences)), ...remarks.slice(maxSentences)].length,
		files: typedKeys(monthFiles).map((key) => ({
			href: href("/bureau/comptes/:month/:file", { month, file: key }),
			label: monthFiles[key].label,
			name: monthFiles[key].getName(month, shop.environment),
			sha256: closing?.files.find((file) => file.key === key)?.sha256 ?? null,
		})),
		imports: listImportFiles(books, month, shop.environment).map(({ key, label, name }) => ({
			href: href("/bureau/comptes/:month/:file", { month, file: key }),
			label,
			name,
		})),
		reports: (await listReportStates(shop, month, books)).map((state) => describeReports(month, state)),
		zip: invoices > 0 ? { href: href("/bureau/comptes/:month/:file", { month, file: "pdf" }), count: invoices } : null,
		hash,
	};
}
