import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSpaceShop, readPlain, type SpaceShop } from "../../../test/shops/customer-space.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { purge } from "../../desk/retention/purge.server.ts";
import {
	countMailboxKeys,
	listFingerprints,
	listInvoicesOfMailbox,
	renewMailboxKeys,
} from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { createInvoicesFile } from "./invoices-file.server.ts";

// Invoices are found by their mailbox after the data of their order are erased.

let shop: SpaceShop;
beforeAll(async () => {
	shop = await createSpaceShop();
});
afterAll(() => shop?.stop());

const yearsLater = (years: number) => ({ ...shop.shop, now: () => new Date(shop.shop.now().getTime() + years * 366 * 86_400_000) });

/** Orders and pays, and waits for the PDF of the invoice. */
async function buy(email: string) {
	const placed = await shop.placeOrder({ customer: { email } });
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("completed", placed.id);
	const invoice = await vi.waitFor(
		async () => {
			const row = await shop.shop.db.selectFrom("invoices").selectAll().where("order_id", "=", placed.id).executeTakeFirstOrThrow();
			expect(row.document_id).not.toBeNull();
			return row;
		},
		{ timeout: scaledTimeout(20_000), interval: 100 },
	);
	return { ...placed, invoice };
}

/** Purges four years later, until the order is erased: one that a job still holds waits for the next purge. */
const purgeOrder = (id: string, context = yearsLater(4)) =>
	vi.waitFor(
		async () => {
			await purge(context);
			expect((await shop.orderRow(id)).erased_at).not.toBeNull();
		},
		{ timeout: scaledTimeout(20_000), interval: 100 },
	);

const findFingerprint = async (id: string) =>
	(await shop.shop.db.selectFrom("invoices").select("mailbox_fingerprint").where("id", "=", id).executeTakeFirstOrThrow())
		.mailbox_fingerprint;

test("after three years the mailbox finds its invoices, and nothing else of the order, until the invoices are deleted", async () => {
	const email = "old@example.fr";
	const { id, number, invoice } = await buy("Old@Example.fr");
	await buy("other@example.fr");
	const before = await shop.signIn(email);
	const [, signed = ""] = /href="(\/documents\/[^"]+)"/.exec(await (await shop.visit("/mes-commandes/factures", before)).text()) ?? [];
	const bytes = await (await shop.ask(signed)).arrayBuffer();

	await purgeOrder(id);
	expect(await shop.orderRow(id)).toMatchObject({ customer_email: "", last_name: "" });
	expect((await findFingerprint(invoice.id))?.length).toBe(32);

	const cookie = await shop.signIn("OLD@example.fr");
	const list = await readPlain(await shop.visit("/mes-commandes", cookie));
	expect(list).toContain("Factures plus anciennes");
	expect(list).toContain(`href="/mes-commandes/factures?annee=${invoice.year}"`);
	expect(list).not.toContain(number);

	const page = await readPlain(await shop.visit(`/mes-commandes/factures?annee=${invoice.year}`, cookie));
	for (const said of [`Facture ${invoice.number}`, "59,00 € TTC", "Leurs factures restent ici 10 ans."]) expect(page).toContain(said);
	const file = `/mes-commandes/factures/${invoice.number}.pdf`;
	expect(page).toContain(`href="${file}"`);
	expect((await shop.ask(signed)).status).toBe(410);
	const pdf = await shop.visit(file, cookie);
	expect([pdf.status, pdf.headers.get("content-type"), pdf.headers.get("cache-control")]).toEqual([200, "application/pdf", "no-store"]);
	expect(Buffer.from(await pdf.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
	const away = { ...shop.shop, storage: { ...shop.shop.storage, get: () => Promise.reject(new Error("the storage is away")) } };
	expect(await createInvoicesFile(away, email, `${invoice.number}.pdf`)).toEqual({ ok: false, code: "unavailable" });
	expect(await createInvoicesFile(shop.shop, email, "F2026-999999.pdf")).toEqual({ ok: false, code: "unknown" });
	const setDisputed = (disputed_at: Date | null) => shop.shop.db.updateTable("orders").set({ disputed_at }).where("id", "=", id).execute();
	await setDisputed(shop.shop.now());
	expect((await shop.visit(file, cookie)).status).toBe(404);
	expect(await readPlain(await shop.visit("/mes-commandes/factures", cookie))).not.toContain(file);
	await setDisputed(null);
	for (const name of [`achats-${invoice.year}.csv`, `achats-${invoice.year}-fec.txt`])
		expect(await (await shop.visit(`/mes-commandes/factures/${name}`, cookie)).text()).toContain(invoice.number);
	expect((await exportPerson(shop.shop, email)).invoices.map((each) => each.number)).toEqual([invoice.number]);

	const stranger = await shop.signIn("other@example.fr");
	expect(await readPlain(await shop.visit("/mes-commandes/factures", stranger))).not.toContain(invoice.number);
	expect((await shop.visit(file, stranger)).status).toBe(404);
	expect((await shop.visit(file, "")).headers.get("location")).toBe("/mes-commandes");

	await purge(yearsLater(12));
	expect(await shop.shop.db.selectFrom("invoices").select("id").where("id", "=", invoice.id).execute()).toEqual([]);
	expect(await readPlain(await shop.visit("/mes-commandes/factures", cookie))).toContain("Aucune facture n’est liée à cette adresse.");
});

test("who asks for the erasure of their data leaves no fingerprint, also on older invoices", async () => {
	const email = "gone@example.fr";
	const older = await buy(email);
	await purgeOrder(older.id);
	const { invoice } = await buy(email);
	expect(await erasePerson(shop.shop, " Gone@example.fr")).toMatchObject({
		untraceableInvoices: 1,
		orders: { erased: [expect.any(String)] },
	});
	for (const { id } of [older.invoice, invoice]) expect(await findFingerprint(id)).toBeNull();
	await shop.resetLimits();
	const sent = shop.smtp.mails.length;
	expect((await shop.askForLink(email)).status).toBe(303);
	await shop.waitForLinks();
	expect(shop.smtp.mails.slice(sent).filter(({ content }) => content.text?.includes("/mes-commandes/lien/"))).toEqual([]);
	expect((await exportPerson(shop.shop, email)).invoices).toEqual([]);
});

test("a fingerprint outlives the secret of the shop, and nobody finds it without", async () => {
	const email = "rotation@example.fr";
	const { id, invoice } = await buy(email);
	await purgeOrder(id);
	const { environment } = shop.shop;
	const withSecrets = (...secrets: string[]) => ({ ...shop.shop, environment: { ...environment, secrets } });
	const find = async (context: typeof shop.shop) => (await listInvoicesOfMailbox(context, email)).map(({ number }) => number);
	const [present = ""] = environment.secrets;
	const next = "the next secret of this shop, long enough to sign";
	expect(await find(withSecrets(next))).toEqual([]);
	expect(await countMailboxKeys(withSecrets(next))).toEqual({ all: 1, lost: 1 });
	await renewMailboxKeys(withSecrets(next, present));
	expect(await find(withSecrets(next))).toEqual([invoice.number]);
	expect(await listFingerprints(withSecrets(present), email)).toEqual([]);

	// the secret is lost: the next purge makes another key, and both count once the secret is back
	const later = await buy(email);
	await purgeOrder(later.id, { ...yearsLater(4), environment });
	expect(await find(shop.shop)).toEqual([later.invoice.number]);
	expect((await find(withSecrets(next, present))).sort()).toEqual([invoice.number, later.invoice.number].sort());
	expect(JSON.stringify(await shop.shop.db.selectFrom("mailbox_keys").selectAll().execute())).not.toContain(email);
});

test("an issued invoice still cannot be changed otherwise", async () => {
	const { invoice } = await buy("fixed@example.fr");
	const change = (values: { total_cents?: number; mailbox_fingerprint?: Buffer }) =>
		shop.shop.db.updateTable("invoices").set(values).where("id", "=", invoice.id).execute();
	await expect(change({ total_cents: 1, mailbox_fingerprint: Buffer.alloc(32) })).rejects.toThrow("not changed");
	await expect(change({ mailbox_fingerprint: Buffer.from("fixed@example.fr") })).rejects.toThrow("check");
});
