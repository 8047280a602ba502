import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { expect, type Page } from "@playwright/test";
import type { Client } from "pg";
import yauzl from "yauzl";
import { cents, splitVat } from "../../app/catalogue/money.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

/** Cents of invoices, less those of credit notes. */
export interface Sums {
	net: number;
	vat: number;
	total: number;
	/** Invoices and credit notes. */
	documents: number;
}

/** Sums the invoices and credit notes themselves. */
export async function sumInvoices(database: Client): Promise<Sums> {
	const { rows } = await database.query("select kind, total_cents, (data->>'vatRate')::numeric as rate from invoices");
	const sums = { net: 0, vat: 0, total: 0, documents: rows.length };
	for (const { kind, total_cents, rate } of rows) {
		const sign = kind === "invoice" ? 1 : -1;
		const { ht, vat } = splitVat(cents(total_cents), rate === null ? undefined : Number(rate));
		sums.net += sign * ht;
		sums.vat += sign * vat;
		sums.total += sign * total_cents;
	}
	return sums;
}

/** Closes each open month at the desk, in two steps. The sums of the files of all of them. */
export async function closeMonths(
	page: Page,
	database: Client,
	picture: (name: string) => Promise<void>,
): Promise<Record<"journal" | "fec" | "vat" | "zip", Sums>> {
	await page.getByRole("navigation", { name: "Bureau" }).getByRole("link", { name: "Comptes" }).click();
	await page.getByRole("button", { name: "Mettre à jour" }).click();
	await expect(page.getByText(/Écritures passées/)).toBeVisible({ timeout: scaledTimeout(60_000) });
	await picture("months");
	const { rows } = await database.query(
		"select distinct to_char(issued_at at time zone 'Europe/Paris', 'YYYY-MM') as month from invoices order by month",
	);
	const none = () => ({ net: 0, vat: 0, total: 0, documents: 0 });
	const sums = { journal: none(), fec: none(), vat: none(), zip: none() };
	for (const { month } of rows) {
		await page.goto(`/bureau/comptes/${month}`);
		await expect(page.getByText("Ce qui empêche la clôture")).toBeHidden();
		await picture(`month-${month}`);
		await page.getByRole("link", { name: "Préparer la clôture" }).click();
		await page.getByLabel("J’ai relu ces sommes.").check();
		await picture(`closing-${month}`);
		await page.getByRole("button", { name: /^Clôturer/ }).click();
		await expect(page.getByText(/^Clôturé le /)).toBeVisible({ timeout: scaledTimeout(20_000) });
		await picture(`closed-${month}`);
		await addLines(sums.journal, readTable(await download(page, "Journal des ventes et des encaissements (tableau)"), ";"), {
			...{ account: "Compte", debit: "Débit", credit: "Crédit", journal: "Journal", piece: "Pièce" },
		});
		await addLines(sums.fec, readTable(await download(page, "Les mêmes écritures, au format du FEC"), "\t"), {
			...{ account: "CompteNum", debit: "Debit", credit: "Credit", journal: "JournalCode", piece: "PieceRef" },
		});
		for (const row of readTable(await download(page, "TVA sur les encaissements, par taux"), ";"))
			if (row.Opérations === "À déclarer") {
				sums.vat.net += toCents(row["Base HT"]);
				sums.vat.vat += toCents(row.TVA);
				sums.vat.total += toCents(row.TTC);
			}
		sums.vat.documents += readTable(await download(page, "TVA, pièce par pièce"), ";").length;
		await addPdfs(sums.zip, await download(page, /^PDF des factures et avoirs/), database);
	}
	return sums;
}

async function download(page: Page, link: string | RegExp): Promise<Buffer> {
	const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: link }).click()]);
	return readFileSync(await file.path());
}

/** Rows of a file without quoted line breaks, by the names in its head. */
function readTable(file: Buffer, separator: string): Record<string, string>[] {
	const [head = [], ...rows] = file
		.toString()
		.replace(/^\ufeff/, "")
		.trimEnd()
		.split("\r\n")
		.map((line) => line.split(separator).map((cell) => cell.replace(/^"(.*)"$/, "$1")));
	return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ""])));
}

/** « -1234,56 » */
const toCents = (amount = "") => Number(amount.replace(",", ""));

/** Sums the sales, their VAT and the customers' debts of the journal of sales. */
async function addLines(
	sums: Sums,
	rows: readonly Record<string, string>[],
	names: Record<"account" | "debit" | "credit" | "journal" | "piece", string>,
): Promise<void> {
	const all = { debit: 0, credit: 0 };
	const pieces = new Set<string>();
	for (const row of rows) {
		const [debit, credit] = [toCents(row[names.debit]), toCents(row[names.credit])];
		all.debit += debit;
		all.credit += credit;
		if (row[names.journal] !== "VT") continue;
		pieces.add(row[names.piece] ?? "");
		const account = row[names.account] ?? "";
		if (account.startsWith("706")) sums.net += credit - debit;
		if (account.startsWith("4457")) sums.vat += credit - debit;
		if (account.startsWith("411")) sums.total += debit - credit;
	}
	expect(all.debit).toBe(all.credit);
	sums.documents += pieces.size;
}

/** Adds the invoices whose PDFs are in an archive, each with the bytes that were sent to the customer. */
async function addPdfs(sums: Sums, archive: Buffer, database: Client): Promise<void> {
	const zip = await yauzl.fromBufferPromise(archive);
	for await (const entry of zip.eachEntry()) {
		const number = /([FA]\d{4}-\d+)\.pdf$/.exec(entry.fileName)?.[1];
		const sha256 = createHash("sha256")
			.update(await buffer(await zip.openReadStreamPromise(entry)))
			.digest("hex");
		const { rows } = await database.query(
			`select kind, total_cents, (data->>'vatRate')::numeric as rate from invoices join documents on documents.id = document_id
			where number = $1 and sha256 = $2`,
			[number, sha256],
		);
		expect(rows, `${entry.fileName} is the PDF of an invoice`).toHaveLength(1);
		const sign = rows[0].kind === "invoice" ? 1 : -1;
		const { ht, vat } = splitVat(cents(rows[0].total_cents), rows[0].rate === null ? undefined : Number(rows[0].rate));
		sums.net += sign * ht;
		sums.vat += sign * vat;
		sums.total += sign * rows[0].total_cents;
		sums.documents += 1;
	}
}
