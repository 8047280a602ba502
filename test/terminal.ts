import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import type { ServiceCode } from "../app/catalogue/services.ts";
import { runCommand } from "../app/commands/run-command.server.ts";
import { sweepPayments } from "../app/payments/sweep-payments.server.ts";
import { extractLines, generatePdf } from "./fixtures/pdf.ts";
import { createTestShop } from "./shop.ts";

export type TestDesk = Awaited<ReturnType<typeof createTestDesk>>;
export type Placed = Awaited<ReturnType<TestDesk["placeOrder"]>>;

/** A shop with an operator; the test moves the clock. */
export async function createTestDesk(issuer: "manual" | "specimen") {
	let at = new Date("2026-11-20T10:00:00Z"); // a Friday, in opening hours
	const folder = mkdtempSync(join(tmpdir(), "desk-"));
	const opened = await createTestShop({ variables: { ISSUER: issuer, LOG_LEVEL: "silent" }, now: () => at });
	const { db, environment } = opened.shop;

	/** Runs a command with `input` on standard input. @returns its output, with ordinary spaces. */
	async function ordersWith(input: string | Uint8Array | null, ...args: string[]) {
		const readInput = async () => (typeof input === "string" ? new TextEncoder().encode(input) : input);
		const { ok, text } = await runCommand({ shop: opened.shop, readInput }, args);
		return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
	}
	const orders = (...args: string[]) => ordersWith(null, ...args);

	/** A paid order without an extract. */
	async function paidOrder(service: ServiceCode = "express", customer: Record<string, unknown> = {}) {
		const placed = await opened.placeOrder({ service, customer });
		await opened.payByCard(placed.payUrl);
		await opened.untilOrderIs("processing", placed.id);
		await opened.getMails(placed, "confirmation");
		return placed;
	}

	let count = 0;
	/** Writes a new extract to disk; each differs. */
	function extractFile(dated = "à jour au 20/11/2026 à 10:32"): string {
		const file = join(folder, `${++count}.pdf`);
		writeFileSync(file, generatePdf({ lines: [...extractLines({ dated }), `Exemplaire ${count}`] }));
		return file;
	}

	async function deliveredOrder(customer: Record<string, unknown> = {}) {
		const placed = await paidOrder("express", customer);
		expect(await orders("upload", placed.number, extractFile())).toMatchObject({ ok: true });
		await opened.untilOrderIs("completed", placed.id);
		return placed;
	}

	/** An order whose payment session has expired. */
	async function expiredOrder(email: string) {
		const placed = await opened.placeOrder({ customer: { email } });
		await db.updateTable("sandbox.sessions").set({ status: "expired" }).where("id", "=", placed.sessionId).execute();
		const long = { created_at: new Date(0), expires_at: new Date(0) };
		await db.updateTable("payment_sessions").set(long).where("id", "=", placed.sessionId).execute();
		await sweepPayments(opened.shop);
		await opened.untilOrderIs("failed", placed.id);
		return placed;
	}

	async function getExtract({ id }: { id: string }) {
		const query = db.selectFrom("documents").selectAll().where("order_id", "=", id).where("doc_type", "=", "kbis");
		return query.executeTakeFirstOrThrow();
	}

	async function track(email: string, { number }: { number: string }) {
		const answer = await opened.postJson("/api/suivi", { email, orderId: number });
		const { documents = [] } = (await answer.json()) as { documents?: { doc_type: string; url: string }[] };
		return { status: answer.status, getUrl: (type: string) => documents.find((document) => document.doc_type === type)?.url ?? "" };
	}

	/** Counts the rows about an order in each table. */
	async function countRows(orderId: string): Promise<Record<string, number>> {
		const counts: Record<string, number> = {};
		for (const [name, rows] of await listRows(orderId)) if (rows.length > 0) counts[name] = rows.length;
		return counts;
	}

	async function listRows(orderId: string): Promise<[string, unknown[]][]> {
		const { rows: tables } = await sql<{ name: string }>`
			select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'order_id'`.execute(db);
		expect(tables.length).toBeGreaterThan(9);
		const found: [string, unknown[]][] = [];
		for (const { name } of [...tables, { name: "orders" }]) {
			const column = sql.ref(name === "orders" ? "id" : "order_id");
			found.push([name, (await sql`select * from ${sql.table(name)} where ${column} = ${orderId}`.execute(db)).rows]);
		}
		return found;
	}

	/** All rows about an order except its invoices, as lower-case text. */
	async function everythingAbout(orderId: string): Promise<string> {
		const { rows } = await sql`select * from sandbox.sessions where client_reference_id = ${orderId}`.execute(db);
		const ours = (await listRows(orderId)).filter(([name]) => name !== "invoices");
		return JSON.stringify([ours, rows]).toLowerCase();
	}

	return {
		...opened,
		folder,
		now: () => at,
		moveTo(instant: Date) {
			at = instant;
		},
		getFilePath: (path: string) => join(environment.dataDir, "documents", path),
		...{ orders, ordersWith, paidOrder, extractFile, deliveredOrder, expiredOrder, getExtract, track, countRows, everythingAbout },
		async close() {
			await opened.close();
			rmSync(folder, { recursive: true });
		},
	};
}

/** Personal data of the customer of shop.ts, as rows contain it; no hash contains it by chance. */
export const personal = ["lovelace", "1 rue de la paix", "06 12 34 56 78", '"75002"', '"ada"', "@example.fr"];
