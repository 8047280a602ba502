import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { insertDocument } from "../../orders/documents/insert-document.server.ts";

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;
type Columns = Record<string, unknown>;

let shop: TestShop;
/** The shop's clock; null: the present. */
let at: Date | null = null;
beforeAll(async () => {
	shop = await createTestShop({ now: () => at ?? new Date() });
	// the tests set the states: no job changes an order
	await shop.shop.jobs.stop(1000);
});
afterAll(() => shop?.close());

const now = new Date();
const soon = new Date(now.getTime() + 3_600_000);
const paid = { paid_at: now, promised_at: soon };

/** The text of a page on one line, with ordinary spaces. */
const readText = (html: string) =>
	html
		.replace(/<(script|style|head)\b.*?<\/\1>/gs, " ")
		.replace(/<!-- -->/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/[\s\u00a0]+/g, " ");

const main = (html: string) => readText(/<main.*<\/main>/s.exec(html)?.[0] ?? "");

/** An order in a given state, on the confirmation and the tracking page. */
async function openPages(
	columns: Columns,
	service: ServiceCode = "express",
): Promise<{ placed: Placed; confirmation: string; tracking: string }> {
	const placed = await shop.placeOrder({ service });
	await shop.shop.db
		.updateTable("orders")
		.set({ status: "pending", ...columns })
		.where("id", "=", placed.id)
		.execute();
	const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
	const cookie = found.headers.get("set-cookie")?.split(";")[0] ?? "";
	const [confirmation, tracking] = await Promise.all([
		shop.ask(`/confirmation/${placed.sessionId}`),
		shop.ask(`/suivi/${placed.number}`, { headers: { cookie } }),
	]);
	return { placed, confirmation: main(await confirmation.text()), tracking: main(await tracking.text()) };
}

const unpaid = ["Cette commande n’est pas payée.", "Rien n’a été débité.", "Reprendre le paiement"];
const steps = ["Reçu", "Prêt", "Livré", "Posté"];
const deadlines = ["au plus tard"];

interface Case {
	what: string;
	columns: Columns;
	service?: ServiceCode;
	both?: string[];
	neither?: string[];
	confirmation?: string[];
	notOnConfirmation?: string[];
}

const cases: Case[] = [
	{
		what: "waits for its payment",
		columns: {},
		both: [...unpaid, "1. Reçu", "En attente"],
		neither: ["(fait)", "Vous pouvez fermer cette page", ...deadlines, "en cours de vérification"],
		confirmation: ["Votre paiement n’est pas terminé", "Étape 2 sur 3 • Paiement", "Informations (terminé)", "2. Paiement"],
		notOnConfirmation: ["Paiement (terminé)"],
	},
	{
		what: "has run out of time to be paid",
		columns: { status: "failed", failure_reason: "expired" },
		both: [...unpaid, "Le délai de paiement est dépassé.", "Échec"],
		neither: [...steps, ...deadlines, "Vous pouvez fermer cette page"],
		confirmation: ["Votre paiement n’est pas terminé", "2. Paiement"],
		notOnConfirmation: ["Paiement (terminé)"],
	},
	{
		what: "was paid with what does not fit",
		columns: { set_aside_at: now },
		both: ["Votre paiement est en cours de vérification"],
		neither: [...unpaid, "(fait)", "Vous pouvez fermer cette page"],
	},
	{
		what: "was cancelled before it was paid",
		columns: { status: "failed", failure_reason: "cancelled" },
		neither: [...unpaid, ...steps, ...deadlines],
		both: ["Annulée"],
		confirmation: ["Votre commande est annulée"],
		notOnConfirmation: ["Paiement (terminé)"],
	},
	{
		what: "is paid",
		columns: { ...paid, status: "paid" },
		both: ["Reçu (fait)", "2. En traitement", "4. Livré", "Livré au plus tard", "Commande enregistrée", "Payé"],
		neither: [...unpaid, "En traitement (fait)"],
		confirmation: ["Commande confirmée !", "Paiement (terminé)", "nous enverrons l’extrait à a…@example.fr"],
	},
	{
		what: "is a letter under way",
		columns: { ...paid, status: "processing" },
		service: "postal",
		both: ["Reçu (fait)", "2. En traitement", "3. Prêt", "4. Posté", "Posté au plus tard"],
		neither: ["Livré", "En traitement (fait)"],
		confirmation: ["nous enverrons le numéro de suivi à a…@example.fr"],
	},
	{
		what: "is a letter that was posted",
		columns: { ...paid, status: "completed", completed_at: now, tracking_number: "6A01234567890" },
		service: "postal",
		both: ["Posté (fait)", "6A01234567890"],
		neither: ["Livré"],
	},
	{
		what: "was cancelled after it was paid",
		columns: { ...paid, status: "failed", failure_reason: "cancelled" },
		both: ["Annulée"],
		neither: [...unpaid, ...steps, ...deadlines],
		confirmation: ["Paiement (terminé)"],
	},
	{
		what: "failed and was refunded",
		columns: { ...paid, status: "failed", failure_reason: "not-found", refunded_cents: 5900 },
		neither: [...unpaid, ...steps, ...deadlines],
		confirmation: ["Votre commande a été remboursée"],
	},
	{
		what: "was refunded because it is late, and is still to come",
		columns: { ...paid, status: "processing", late_at: now, refunded_cents: 5900 },
		both: ["2. En traitement", "4. Livré"],
		neither: [...unpaid, ...deadlines],
	},
	{
		what: "was delivered, and refunded afterwards",
		columns: { ...paid, status: "completed", completed_at: now, refunded_cents: 5900 },
		both: ["Livré (fait)", "Terminé"],
		neither: [...unpaid, ...deadlines],
	},
];

describe("the confirmation and the tracking page", () => {
	test("name no opening on a Sunday night in a demo, whose specimens are made at any hour", async () => {
		at = new Date("2030-06-02T01:00:00Z");
		try {
			const promised_at = new Date("2030-06-03T08:00:00Z");
			const pages = await openPages({ paid_at: at, promised_at, status: "paid" });
			for (const page of [pages.confirmation, pages.tracking]) {
				expect(page).toContain("lundi 3 juin");
				expect(page).toContain("Commande enregistrée : nous allons demander l’extrait au greffe. ");
			}
		} finally {
			at = null;
		}
	});

	test.each(cases)(
		"show an order that $what",
		async ({ columns, service, both = [], neither = [], confirmation = [], notOnConfirmation = [] }) => {
			const pages = await openPages(columns, service);
			for (const page of [pages.confirmation, pages.tracking]) {
				for (const expected of both) expect(page).toContain(expected);
				for (const untrue of neither) expect(page).not.toContain(untrue);
			}
			for (const expected of confirmation) expect(pages.confirmation).toContain(expected);
			for (const untrue of notOnConfirmation) expect(pages.confirmation).not.toContain(untrue);
		},
	);

	test("have a colour and an icon for each state on the tracking page", async () => {
		const looks = [];
		for (const columns of [
			{},
			{ ...paid, status: "paid" },
			{ ...paid, status: "processing" },
			{ ...paid, status: "completed", completed_at: now },
			{ ...paid, status: "failed", failure_reason: "operator" },
		]) {
			const placed = await shop.placeOrder();
			await shop.shop.db
				.updateTable("orders")
				.set({ status: "pending", ...columns })
				.where("id", "=", placed.id)
				.execute();
			const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
			const cookie = found.headers.get("set-cookie")?.split(";")[0] ?? "";
			const html = await (await shop.ask(`/suivi/${placed.number}`, { headers: { cookie } })).text();
			const label = /font-semibold (text-\w+)"><svg.*?<path d="([^"]+)".*?<\/svg>(En attente|Payé|En traitement|Terminé|Échec)/s.exec(html);
			looks.push(label?.slice(1));
		}
		expect(looks.map((look) => look?.[2])).toEqual(["En attente", "Payé", "En traitement", "Terminé", "Échec"]);
		for (const part of [0, 1]) expect(new Set(looks.map((look) => look?.[part])).size).toBe(5);
	});
});

describe("« Reprendre le paiement »", () => {
	test("an expired order is opened again, by one press or ten at once: one new session", async () => {
		const { placed } = await openPages({});
		const { db } = shop.shop;
		await db.updateTable("sandbox.sessions").set({ status: "expired" }).where("id", "=", placed.sessionId).execute();
		await shop.letPagesAsk();
		expect(main(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text())).toContain("Le délai de paiement est dépassé.");
		const answers = await Promise.all(
			Array.from({ length: 10 }, () => shop.postForm(`/confirmation/${placed.sessionId}`, { intent: "resume" })),
		);
		const urls = new Set(answers.map((answer) => answer.headers.get("location")));
		expect([...new Set(answers.map(({ status }) => status))]).toEqual([303]);
		expect(urls.size).toBe(1);
		expect([...urls][0]).not.toBe(placed.payUrl);
		expect(await shop.getEventTypes(placed.id)).toEqual(["created", "expired", "resumed"]);
	});

	test("an order that cannot be paid stays unchanged", async () => {
		for (const columns of [{ ...paid, status: "paid" }, { set_aside_at: now }, { status: "failed", failure_reason: "cancelled" }]) {
			const { placed } = await openPages(columns);
			const before = await shop.orderRow(placed.id);
			const answer = await shop.postForm(`/confirmation/${placed.sessionId}`, { intent: "resume" });
			expect([answer.status, answer.headers.get("location")]).toEqual([303, `/confirmation/${placed.sessionId}`]);
			expect(await shop.orderRow(placed.id)).toEqual(before);
		}
	});
});

describe("« Mauvaise adresse ? Corriger »", () => {
	/** A paid order on its tracking page, with full access. */
	async function open() {
		const placed = await shop.placeOrder();
		await shop.shop.db
			.updateTable("orders")
			.set({ status: "processing", ...paid })
			.where("id", "=", placed.id)
			.execute();
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
		return { placed, cookie: found.headers.get("set-cookie")?.split(";")[0] ?? "" };
	}
	const show = async (placed: Placed, cookie: string) => (await shop.ask(`/suivi/${placed.number}`, { headers: { cookie } })).text();
	const send = (placed: Placed, cookie: string, fields: Record<string, string>) =>
		shop.postForm(`/suivi/${placed.number}`, { intent: "correct-addresses", ...fields }, { cookie });

	test("gives this browser access again, and ends the earlier access", async () => {
		const { placed, cookie } = await open();
		expect(await show(placed, cookie)).toContain('value="correct-addresses"');
		const answer = await send(placed, cookie, { email: "ada.l@example.fr", recipient: "" });
		expect([answer.status, answer.headers.get("location")]).toEqual([303, `/suivi/${placed.number}?corrige=email`]);
		const next = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
		const page = await show(placed, next);
		for (const shown of ["ada.l@example.fr", "Adresse e-mail corrigée"]) expect(page).toContain(shown);
		expect(await show(placed, cookie)).not.toContain("DANONE");
	});

	test("ends with a notice on the folded form: what is sent where, for two minutes", async () => {
		const { placed, cookie } = await open();
		const read = async (page: string, at: string) => {
			const html = await (await shop.ask(page, { headers: { cookie: at } })).text();
			return { html, text: html.replace(/<!-- -->/g, "") };
		};
		const both = await send(placed, cookie, { email: "ada.l@example.fr", recipient: "banque@example.fr" });
		const page = both.headers.get("location") ?? "";
		const next = both.headers.get("set-cookie")?.split(";")[0] ?? "";
		const shown = await read(page, next);
		for (const sentence of [
			"Adresse corrigée.",
			"La confirmation vient de partir à ada.l@example.fr.",
			"envoyé aussi à banque@example.fr.",
		])
			expect(shown.text).toContain(sentence);
		expect(shown.html).not.toMatch(/<details[^>]* open=""/);
		expect(page).not.toContain("example.fr");
		const removed = await send(placed, next, { email: "ada.l@example.fr", recipient: "" });
		const alone = await read(removed.headers.get("location") ?? "", next);
		expect(alone.text).toContain("L’extrait n’est envoyé qu’à ada.l@example.fr.");
		expect(alone.text).not.toContain("La confirmation vient de partir");
		expect(alone.text).not.toContain("Vouliez-vous dire");
		expect((await read(`/suivi/${placed.number}`, next)).text).not.toContain("Adresse corrigée.");
		const mistyped = await send(placed, next, { email: "ada.l@gmial.com", recipient: "" });
		const asking = await read(mistyped.headers.get("location") ?? "", mistyped.headers.get("set-cookie")?.split(";")[0] ?? "");
		// in place, with one button
		expect(asking.text).toMatch(/Vouliez-vous dire <strong[^>]*>ada\.l@gmail\.com<\/strong>\u00a0\?/);
		expect(asking.text).toContain('<input type="hidden" name="email" value="ada.l@gmail.com"/>');
		// no link makes the page speak of a correction that nobody has made
		const other = await open();
		expect((await read(`/suivi/${other.placed.number}?corrige=email`, other.cookie)).text).not.toContain("Adresse corrigée.");
	});

	test("shows a refused address at the top of the page and in the open form", async () => {
		const { placed, cookie } = await open();
		const answer = await send(placed, cookie, { email: "ada@", recipient: "" });
		expect(answer.status).toBe(400);
		const page = await answer.text();
		expect(page.match(/Format d&#x27;email invalide/g)).toHaveLength(2);
		expect(page).toMatch(/<details[^>]* open=""/);
		expect(page).toContain('value="ada@"');
	});

	test("is not offered once the order is delivered, nor on a masked confirmation", async () => {
		const { placed, cookie } = await open();
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).not.toContain('value="correct-addresses"');
		const masked = await shop.postForm(`/confirmation/${placed.sessionId}`, { intent: "correct-addresses", email: "eve@example.fr" });
		expect([masked.status, (await shop.orderRow(placed.id)).customer_email]).toEqual([403, "ada@example.fr"]);
		const done = { status: "completed", completed_at: now } as const;
		await shop.shop.db.updateTable("orders").set(done).where("id", "=", placed.id).execute();
		expect(await show(placed, cookie)).not.toContain('value="correct-addresses"');
		expect((await send(placed, cookie, { email: "eve@example.fr", recipient: "" })).status).toBe(409);
		// while its extract is there, it can be sent to a second address
		const stored = await shop.shop.storage.put(generatePdf({ lines: extractLines() }));
		await shop.shop.db
			.transaction()
			.execute((trx) => insertDocument(trx, { orderId: placed.id, type: "kbis", issuedAt: now, stored, now }));
		expect(await show(placed, cookie)).toContain("Renvoyer à une autre adresse");
		const sent = await send(placed, cookie, { email: "ada@example.fr", recipient: "ada@bureau.example" });
		expect(sent.headers.get("location")).toBe(`/suivi/${placed.number}?corrige=resent`);
		const page = await (await shop.ask(sent.headers.get("location") ?? "", { headers: { cookie } })).text();
		expect(page.replace(/<!-- -->/g, "")).toMatch(/Extrait renvoyé\..*Il vient de partir à ada@bureau\.example\./s);
		// the last one is read, and may be corrected as often as the use case allows
		for (const [own, left] of [
			["oui", true],
			[undefined, false],
		] as const) {
			const resent = await send(placed, cookie, { email: "ada@example.fr", recipient: `${own}@bureau.example`, ...(own && { own }) });
			expect(resent.headers.get("location")).toBe(`/suivi/${placed.number}?corrige=own`);
			const shown = (await show(placed, cookie)).replace(/<!-- -->|<\/?span[^>]*>/g, "");
			expect(shown).toMatch(new RegExp(`Extrait renvoyé à ${own}@bureau\\.example le \\S+ \\d`));
			expect([shown.includes("Me renvoyer l’extrait"), shown.includes("Pour un autre envoi, ")]).toEqual([left, !left]);
			expect(shown).not.toContain("à une autre personne");
		}
	});
});

describe("« Corriger l’adresse de livraison »", () => {
	const greffe = { deliveryName: "Greffe", deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" };
	async function open() {
		const placed = await shop.placeOrder({ service: "postal" });
		const { db } = shop.shop;
		await db
			.updateTable("orders")
			.set({ status: "processing", ...paid })
			.where("id", "=", placed.id)
			.execute();
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
		const headers = { cookie: found.headers.get("set-cookie")?.split(";")[0] ?? "" };
		const read = async (page = `/suivi/${placed.number}`) => (await (await shop.ask(page, { headers })).text()).replace(/<!-- -->/g, "");
		const send = (fields: Record<string, string>) =>
			shop.postForm(`/suivi/${placed.number}`, { intent: "correct-letter", ...fields }, headers);
		return { placed, read, send };
	}

	test("is a folded form with the address by now, and its answer says where the letter goes", async () => {
		const { read, send } = await open();
		const page = await read();
		expect(page).toContain('value="correct-letter"');
		expect(page).toMatch(/name="deliveryName"[^>]* value="Ada Lovelace"/);
		// on a phone, what stands below the documents is found by nobody
		const order = ["Destination\u00a0: Ada Lovelace, ", 'value="correct-letter"', ">Documents<", ">Récapitulatif<"];
		expect(order.map((each) => page.indexOf(each))).toEqual(order.map((each) => page.indexOf(each)).toSorted((a, b) => a - b));
		expect(page).toContain(order[0]);
		const answer = await send(greffe);
		expect(answer.status).toBe(303);
		const corrected = await read(answer.headers.get("location") ?? "");
		expect(corrected).toContain("Votre courrier partira à\u00a0: Greffe, 1 quai de la Corse, 75004 Paris.");
		expect(corrected).toContain("Adresse de livraison corrigée");
		expect(corrected).not.toMatch(/<details[^>]* open=""/);
	});

	test("keeps what was typed when it is refused", async () => {
		const { send } = await open();
		const answer = await send({ ...greffe, deliveryPostalCode: "7500", deliveryName: "x".repeat(1_000) });
		expect(answer.status).toBe(400);
		const page = await answer.text();
		expect(page).toContain('id="deliveryPostalCode-error"');
		expect(page).toContain('href="#deliveryPostalCode"');
		expect(page).toMatch(/<details[^>]* open=""/);
		expect(page).toContain('value="1 quai de la Corse"');
		expect(page).not.toContain("x".repeat(301));
	});

	test("gives way to the reason once the letter is printed, and to nothing once it is posted", async () => {
		const { placed, read, send } = await open();
		const printed = { order_id: placed.id, requested_at: new Date(), printed_at: new Date() };
		await shop.shop.db.insertInto("extract_requests").values(printed).execute();
		const page = await read();
		expect(page).toContain("Votre courrier est imprimé\u00a0: son adresse ne se corrige plus ici.");
		expect(page).not.toContain('value="correct-letter"');
		expect((await send(greffe)).status).toBe(409);
		await shop.shop.db.updateTable("orders").set({ status: "completed", completed_at: now }).where("id", "=", placed.id).execute();
		expect(await read()).not.toContain("Votre courrier est imprimé");
	});
});

describe("an unpaid order on the tracking page", () => {
	test.each<[string, (placed: Placed) => Promise<unknown>]>([
		["with an open session", async () => {}],
		["with a session that expired at the provider", (placed) => updateSandbox(placed, { status: "expired" })],
		[
			"with a session that is overdue",
			({ id }) =>
				shop.shop.db
					.updateTable("payment_sessions")
					.set({ expires_at: new Date(0) })
					.where("order_id", "=", id)
					.execute(),
		],
		[
			"that has expired",
			async (placed) => {
				await updateSandbox(placed, { status: "expired" });
				await shop.ask(`/confirmation/${placed.sessionId}`);
			},
		],
		[
			"without a session, which the provider refused to open",
			async ({ id }) => {
				await shop.shop.db.deleteFrom("payment_sessions").where("order_id", "=", id).execute();
				await shop.shop.db.updateTable("payment_attempts").set({ answered_at: now }).where("order_id", "=", id).execute();
			},
		],
	])("%s can be paid there", async (_what, change) => {
		const placed = await shop.placeOrder();
		await change(placed);
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
		const cookie = found.headers.get("set-cookie")?.split(";")[0] ?? "";
		const page = main(await (await shop.ask(`/suivi/${placed.number}`, { headers: { cookie } })).text());
		for (const shown of unpaid) expect(page).toContain(shown);
		const answer = await shop.postForm(`/suivi/${placed.number}`, { intent: "resume" }, { cookie });
		expect([answer.status, answer.headers.get("location")]).toEqual([303, expect.stringContaining("/bac-a-sable/")]);
		expect((await shop.payByCard(answer.headers.get("location") ?? "")).status).toBe(303);
	});

	const updateSandbox = ({ sessionId }: Placed, set: { status: "expired" }) =>
		shop.shop.db.updateTable("sandbox.sessions").set(set).where("id", "=", sessionId).execute();
});
