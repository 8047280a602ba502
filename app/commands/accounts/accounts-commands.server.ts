import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { resolveCommandPath } from "../../../server/command-path.ts";
import { inSnapshot } from "../../../server/database/database.ts";
import { getErrorCode } from "../../../server/types/errors.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import { formatFinding, isBlocking } from "../../books/checks/finding.ts";
import { closeMonth, getMonthFile } from "../../books/closing/close-month.server.ts";
import { formatCloseRefusal } from "../../books/closing/close-refusals.ts";
import { listImportFiles } from "../../books/files/import-files.server.ts";
import { monthFiles } from "../../books/files/month-files.server.ts";
import { recordExtractCost } from "../../books/files/record-extract-cost.server.ts";
import { explainBases, explainVat } from "../../books/files/vat-difference.ts";
import { formatRate } from "../../books/files/vat-statement.ts";
import { writeYear } from "../../books/files/year-file.server.ts";
import { zipInvoices } from "../../books/files/zip-invoices.server.ts";
import { formatMonth, type Month, parseMonth } from "../../books/month.ts";
import { listMonths, type MonthDetail, readMonth } from "../../books/overview/read-month.server.ts";
import { postEntries } from "../../books/post-entries.server.ts";
import { updateAccounts } from "../../books/update-accounts.server.ts";
import { formatStamp } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { parseEuros } from "../../orders/refunds/parse-euros.ts";
import type { Shop } from "../../shop.ts";
import { alignColumns, formatSection } from "../columns.ts";
import { type CommandResult, done, refuse } from "../command.ts";
import { providerUnavailable } from "../reconcile-command.server.ts";
import { asOption, getOperatorName, runRecordedCommand } from "../run-recorded-command.server.ts";

export const usage = `Usage : npm run accounts -- <verbe> …

  months
      les mois, leur état et leurs sommes
  update
      lit les frais et les virements chez le prestataire, et passe les écritures ; se fait aussi chaque nuit
  show <mois>
      TVA, marge, et ce qui empêche la clôture
  export <mois> [dossier] [--zip]
      écrit les fichiers du mois ; avec --zip, aussi les PDF des factures
  export-year <année> [dossier]
      écrit le FEC de l’exercice qui finit cette année-là : les ventes et l’argent
  close <mois> [--confirm <empreinte>]
      clôture le mois, en deux temps : le premier montre les sommes et donne l’empreinte
  cost KB-… <montant>
      note ce que le greffe a pris pour l’extrait, par exemple 3,20

Un mois s’écrit 2026-11. Chaque verbe est noté au journal, avec --as <nom> ou l’utilisateur du système.`;

interface Call {
	shop: Shop;
	args: string[];
	who: string;
	zip: boolean;
	confirm: string | undefined;
}

const verbs: Record<string, (call: Call) => Promise<CommandResult>> = {
	months,
	update,
	show,
	export: exportMonth,
	"export-year": exportYear,
	close,
	cost,
};

/** Runs and records a command of the accounts. @returns the text for the terminal, also for a refusal or wrong usage. */
export async function runAccountsCommand(shop: Shop, args: readonly string[]): Promise<CommandResult> {
	const parsed = parse(args);
	const [name = "", ...rest] = parsed?.args ?? [];
	const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
	if (parsed === null || verb === undefined) return refuse(usage);
	const who = getOperatorName(parsed.as);
	const subject = name === "cost" || rest[0] === undefined ? null : parseMonth(rest[0]);
	return runRecordedCommand(shop, { verb: `accounts ${name}`, subject, who }, () =>
		verb({ shop, args: rest, who, zip: parsed.zip, confirm: parsed.confirm }),
	);
}

function parse(args: readonly string[]) {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			options: { zip: { type: "boolean" }, confirm: { type: "string" }, ...asOption },
			allowPositionals: true,
			strict: true,
		});
		return { args: positionals, zip: values.zip === true, confirm: values.confirm, as: values.as };
	} catch {
		return null; // an unknown option, or one without its value
	}
}

const unknownMonth = "Écrivez le mois ainsi : 2026-11.";
const euros = (amount: number) => formatEuros(cents(amount));

async function months({ shop }: Call): Promise<CommandResult> {
	await postEntries(shop);
	const rows = (await listMonths(shop)).map(({ month, closedAt, sales, vat, receipts, refunds, fees, paidOut }) => [
		...[month, closedAt ? `clôturé le ${formatStamp(closedAt)}` : "ouvert", euros(sales), euros(vat), euros(receipts), euros(refunds)],
		...[euros(fees), euros(paidOut)],
	]);
	if (rows.length === 0) return done("Aucune écriture.");
	return done(alignColumns([["Mois", "État", "Ventes HT", "TVA", "Encaissé", "Remboursé", "Frais", "Viré"], ...rows]));
}

async function update({ shop }: Call): Promise<CommandResult> {
	const updated = await updateAccounts(shop);
	if (!updated.ok) return refuse(`${providerUnavailable} Les écritures connues ici sont passées.`);
	return done(`Écritures passées : ${updated.posted}. Mouvements lus : ${updated.movements}, virements : ${updated.payouts}.`);
}

async function show({ shop, args: [typed = ""] }: Call): Promise<CommandResult> {
	const month = parseMonth(typed);
	if (month === null) return refuse(unknownMonth);
	await postEntries(shop);
	const detail = await readMonth(shop, month);
	return detail === null ? refuse(`Aucune écriture en ${formatMonth(month)}.`) : done(formatDetail(shop, month, detail));
}

function formatDetail(
	{ environment }: Shop,
	month: Month,
	{ sums, rates, vatDifference, margin, invoices, findings, closing }: MonthDetail,
): string {
	const state = closing ? `clôturé le ${formatStamp(closing.closedAt)} par ${closing.closedBy}` : "ouvert";
	const blocking = findings.filter(isBlocking).map((finding) => [formatFinding(finding)]);
	const remarks = findings.filter((finding) => !isBlocking(finding)).map((finding) => [formatFinding(finding)]);
	return [
		`${formatMonth(month)} : ${state}`,
		alignColumns([
			["Écritures", String(sums.entries)],
			["Factures et avoirs", String(invoices)],
			["Ventes HT (facturé dans le mois)", euros(sums.sales)],
			["Encaissé", euros(sums.receipts)],
			["Remboursé", euros(sums.refunds)],
			["Frais du prestataire", euros(sums.fees)],
			["Viré en banque", euros(sums.paidOut)],
			["Marge (sur l’encaissé HT)", `${euros(margin.margin)} (extraits ${euros(margin.cost)})`],
		]),
		formatSection(
			"TVA sur les encaissements",
			rates.map(({ rate, total }) => [formatRate(rate), `base ${euros(total.net)}`, `TVA ${euros(total.vat)}`]),
		),
		...[explainBases(vatDifference), explainVat(vatDifference, environment.accountNumbers.vat)].filter((sentence) => sentence !== null),
		formatSection("Ce qui empêche la clôture", closing ? [] : blocking),
		formatSection("À savoir", remarks),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

async function exportMonth({ shop, args: [typed = "", folder = "."], zip }: Call): Promise<CommandResult> {
	const month = parseMonth(typed);
	if (month === null) return refuse(unknownMonth);
	const target = resolveCommandPath(folder);
	const written: string[][] = [];
	try {
		await mkdir(target, { recursive: true });
		for (const key of typedKeys(monthFiles)) {
			const file = await getMonthFile(shop, month, key);
			if (!file.ok) return refuse(`Le fichier « ${monthFiles[key].label} » de ce mois clôturé manque dans le stockage, ou il a changé.`);
			await writeFile(join(target, file.name), file.bytes);
			written.push([file.name, monthFiles[key].label]);
		}
		for (const { name, label, write } of listImportFiles((await readSettings(shop.db)).books, month, shop.environment)) {
			await writeFile(join(target, name), await inSnapshot(shop.db, write));
			written.push([name, label]);
		}
		if (zip) {
			const archive = await zipInvoices(shop, month);
			if (!archive.ok) return refuse(zipRefusals[archive.code]);
			await pipeline(archive.stream, createWriteStream(join(target, archive.name)));
			written.push([archive.name, `PDF : ${archive.count}`]);
		}
	} catch (error) {
		if (getErrorCode(error) === undefined) throw error;
		return refuse(`Le dossier ${folder} ne s’écrit pas (${getErrorCode(error)}).`);
	}
	return done(formatSection(`Écrits dans ${target}`, written));
}

async function exportYear({ shop, args: [year = "", folder = "."] }: Call): Promise<CommandResult> {
	if (!/^20\d\d$/.test(year)) return refuse("Écrivez l’année ainsi : 2026.");
	const file = await writeYear(shop, Number(year));
	if (!file.ok) return refuse(`L’exercice ${year} n’a aucune écriture.`);
	const target = resolveCommandPath(folder);
	try {
		await mkdir(target, { recursive: true });
		await pipeline(file.stream, createWriteStream(join(target, file.name)));
	} catch (error) {
		if (getErrorCode(error) === undefined) throw error;
		return refuse(`Le dossier ${folder} ne s’écrit pas (${getErrorCode(error)}).`);
	}
	return done(formatSection(`Écrit dans ${target}`, [[file.name, "FEC de l’exercice"]]));
}

const zipRefusals = {
	empty: "Ce mois n’a aucune facture.",
	"without-pdf": "Une facture de ce mois n’a pas encore son PDF. Réessayez dans quelques minutes.",
	"too-many": "Ce mois a trop de factures pour une seule archive.",
} as const;

/** Digits of a hash that the operator types. */
const typedDigits = 12;

async function close({ shop, args: [typed = ""], who, confirm }: Call): Promise<CommandResult> {
	const month = parseMonth(typed);
	if (month === null) return refuse(unknownMonth);
	await postEntries(shop);
	const detail = await readMonth(shop, month);
	if (detail === null) return refuse(`Aucune écriture en ${formatMonth(month)}.`);
	const hash = detail.hash.slice(0, typedDigits);
	if (confirm === undefined && detail.closing === null)
		return done(
			`${formatDetail(shop, month, detail)}\n\nAprès la clôture, rien ne change plus dans ce mois. Pour clôturer : npm run accounts -- close ${month} --confirm ${hash}`,
		);
	if (confirm !== undefined && detail.closing === null && confirm !== hash)
		return refuse(formatCloseRefusal({ ok: false, code: "changed" }));
	const closed = await closeMonth(shop, month, { closedBy: who, ...(detail.closing === null && { seen: detail.hash }) });
	if (!closed.ok)
		return refuse(
			[formatCloseRefusal(closed), ...(closed.code === "differences" ? closed.findings.filter(isBlocking).map(formatFinding) : [])].join(
				"\n",
			),
		);
	return done(
		closed.again
			? `Ce mois était déjà clôturé, le ${formatStamp(closed.closing.closedAt)}. Rien ne change.`
			: `${formatMonth(month)} est clôturé.`,
	);
}

async function cost({ shop, args: [number = "", ...amount] }: Call): Promise<CommandResult> {
	const parsed = amount.join(" ").trim() === "0" ? cents(0) : parseEuros(amount.join(" "));
	if (parsed === null) return refuse("Ce montant ne se lit pas. Écrivez-le en euros, par exemple 3,20.");
	const recorded = await recordExtractCost(shop, number, parsed);
	return recorded.ok ? done(`Coût de l’extrait : ${formatEuros(parsed)}.`) : refuse(`La commande ${number} n’existe pas.`);
}
