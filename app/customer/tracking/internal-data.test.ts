import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { typedKeys } from "../../../server/types/objects.ts";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { browse, type ReadText, readFileTexts, readMails } from "../../../test/leaks/read-everything.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createServing } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { getMonthHash } from "../../books/closing/close-month.server.ts";
import { listPeriods } from "../../books/e-reporting/period.ts";
import { getMonth } from "../../books/month.ts";
import { formatDay } from "../../catalogue/instants.ts";
import { runCommand } from "../../commands/run-command.server.ts";
import { acts } from "../../desk/acts/act-table.server.ts";
import { approve, performAct, runScheduledAct } from "../../desk/acts/perform-act.server.ts";
import { listOperators } from "../../desk/operators/operators.store.server.ts";
import { roles } from "../../desk/operators/roles.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { markMailBounced } from "../../mail/mails.store.server.ts";
import { copyOrder } from "../../orders/copies/copy-order.server.ts";
import { publicFields } from "../../orders/event-payloads.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase, recordEvent } from "../../orders/orders.store.server.ts";
import { createShare } from "../sharing/create-share.server.ts";
import { shareUrl } from "../sharing/share-links.server.ts";
import { askForRefund } from "./ask-for-refund.server.ts";
import { createConfirmationCookies } from "./confirmation/confirmation-access.server.ts";
import { createTrackingCookies } from "./tracking-access.server.ts";
import { createVisit } from "./visits/visits.server.ts";

// Who worked on an order, and why, reach no customer (docs/rules.md, R181): every act of the desk is done with names, reasons and notes that
// are found nowhere in what customers, recipients and readers get.

/** A word of no language. Each act has its own, as the name of its operator and in each of its fields. */
const mark = "zyzyva";
const canary = (act: string, field: string) => `${mark}${`-${act}-${field}`.replace(/[^a-z]+(.)/g, (_, letter) => letter.toUpperCase())}`;

/** The operator who replies, by the first name that signs. */
const replyAuthor = `${mark}ReplyOperator`;

/** What the desk writes for customers, with who reads it. Nothing else of an act may leave the shop. */
const shown: Record<string, string> = {
	[canary("close-shop", "sentence")]: "every visitor: the sentence that the site shows while it is closed",
	[canary("reply", "text")]: "who wrote the message",
	[replyAuthor]: "who wrote the message: the first name of an operator signs their replies (docs/rules.md, R98)",
	[canary("refuse-refund-request", "answer")]: "the customer who asked for the refund: « le client la lira telle quelle »",
};

/** What only the person who asks for their data gets (docs/rules.md, R74). */
const exported: Record<string, string> = {
	[canary("note", "text")]: "the customer of the order",
	[canary("change-company", "agreement")]: "the customer of the order: it is a note",
};

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
let desk: TestOperator;
let deskId: string;

beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual", REFUND_APPROVAL_CENTS: "100000" } });
	serving = await createServing(shop);
	desk = await createOperator(shop, `${mark}Desk`, roles);
	const operators = await listOperators(shop.shop.db);
	deskId = operators.find(({ name }) => name === `${mark}Desk`)?.id ?? "";
});
afterAll(() => shop?.close());

interface Sent {
	/** The order of the form. */
	order?: { id: string };
	fields?: Record<string, string>;
	/** The act is asked for as at this moment. */
	at?: Date;
}

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;
type Service = "express" | "postal";

const customer = "ada@example.fr";
const recipient = "banque@example.fr";
const newRecipient = "greffe@example.fr";
const erased = "erased@example.fr";
const writer = "lea@example.fr";

/** A paid order that the desk can serve. */
async function newOrder(service: Service = "express", email = customer): Promise<Placed> {
	const order = await serving.newOrder(service, { customer: { email, ...(service === "express" && { deliveryEmail: recipient }) } });
	await waitFor(async () => findRequest(order));
	return order;
}

const findRequest = (order: Placed) =>
	shop.shop.db.selectFrom("extract_requests").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();

/** Tries something until it does not throw. */
const waitFor = <T>(what: () => Promise<T>) => vi.waitFor(what, { timeout: scaledTimeout(60_000), interval: 25 });

/** A file whose name is the desk's own. @returns its id. */
async function drop(order: Placed, act: string): Promise<string> {
	const body = new FormData();
	body.append("file", new File([serving.newExtract() as Uint8Array<ArrayBuffer>], `${canary(act, "file")}.pdf`));
	const headers = { "sec-fetch-dest": "document" };
	const answer = await desk.ask(`/bureau/commandes/${order.number}/extrait`, { method: "POST", body, headers });
	expect(answer.status).toBe(302);
	return serving.findDraftId(order.id);
}

/** Does an act as an operator whose name is its canary, and lets its time to undo pass. */
async function act(name: string, { order, fields = {}, at }: Sent) {
	const actor = { id: deskId, name: canary(name, "operator"), roles: new Set(roles), origin: canary(name, "origin") };
	const form = { act: name, key: crypto.randomUUID(), orderId: order?.id ?? null, fields };
	const on = at ? { ...shop.shop, now: () => at } : shop.shop;
	const asked = await performAct(on, actor, form);
	if (asked.state !== "scheduled") return asked;
	await runScheduledAct(on, form.key);
	return performAct(on, actor, form);
}

async function delivered(service: Service, email?: string): Promise<Placed> {
	const order = await newOrder(service, email);
	await act("deliver", { order, fields: { draft: await drop(order, "deliver") } });
	if (service === "express") await shop.untilOrderIs("completed", order.id);
	else await waitFor(async () => expect(await shop.getEventTypes(order.id)).toContain("document_issued"));
	return order;
}

const getPayment = (order: { id: string }) =>
	shop.shop.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();

async function insertRefund(
	order: { id: string },
	values: { status: "requested" | "failed"; note?: string; held_until?: Date },
): Promise<string> {
	const id = crypto.randomUUID();
	const fixed = { id, order_id: order.id, payment_id: (await getPayment(order)).id, amount_cents: 100, cause: "other" } as const;
	await shop.shop.db
		.insertInto("refunds")
		.values({ ...fixed, reason: "operator", requested_at: shop.shop.now(), ...values })
		.execute();
	return id;
}

const later = (days: number) => new Date(shop.shop.now().getTime() + days * 86_400_000);

async function write(email: string) {
	await shop.postForm("/contact", { nom: "Léa", email, message: "Où est mon extrait ?" });
	const query = shop.shop.db.selectFrom("conversations").select(["id", "last_at"]).where("email", "=", email);
	const { id, last_at } = await query.orderBy("last_at", "desc").executeTakeFirstOrThrow();
	return { conversation: id, read: last_at.toISOString() };
}

const newPerson = async (name: string) => {
	await createOperator(shop, `${mark}${name}`, ["serve"]);
	return (await listOperators(shop.shop.db)).find((each) => each.name === `${mark}${name}`)?.id ?? "";
};

async function newTemplate(act: string): Promise<Record<string, string>> {
	await performTemplate(act);
	const query = shop.shop.db.selectFrom("reply_templates").select("id").where("title", "=", canary(act, "title"));
	return { template: (await query.executeTakeFirstOrThrow()).id };
}
const performTemplate = (name: string) =>
	act("save-reply-template", { fields: { title: canary(name, "title"), text: canary(name, "text") } });

/** Orders on which most acts are done: waiting for its extract, delivered, and a letter. */
const shared = new Map<string, Promise<Placed>>();
const share = (name: "open" | "done" | "letter"): Promise<Placed> => {
	const make = { open: () => newOrder(), done: () => delivered("express"), letter: () => delivered("postal") }[name];
	const order = shared.get(name) ?? make();
	shared.set(name, order);
	return order;
};
const onOpen = async () => ({ order: await share("open") });

/** Each act of the desk, done once. */
const rows: Record<string, () => Promise<Sent>> = {
	"claim-next": async () => {
		await share("open");
		// its job holds the order
		await waitForJobs();
		return {};
	},
	release: onOpen,
	claim: onOpen,
	"take-over": onOpen,
	resend: async () => {
		const order = await share("open");
		await shop.getMails(order, "confirmation");
		return { order, fields: { kind: "confirmation" } };
	},
	"record-request": onOpen,
	"discard-draft": async () => {
		const order = await share("open");
		return { order, fields: { draft: await drop(order, "discard-draft") } };
	},
	note: async () => ({ order: await share("open"), fields: { text: canary("note", "text") } }),
	"extract-cost": async () => ({ order: await share("open"), fields: { amount: "3,20" } }),
	"record-extract-cost": async () => ({ fields: { number: (await share("open")).number, amount: "3,30" } }),
	"correct-bounced-address": async () => {
		const order = await share("open");
		await waitForJobs();
		const query = shop.shop.db.selectFrom("mails").select("id").where("order_id", "=", order.id).where("kind", "=", "confirmation");
		const { id } = await query.executeTakeFirstOrThrow();
		await shop.shop.db.transaction().execute((trx) => markMailBounced(trx, id, "unknown mailbox", shop.shop.now()));
		return { order, fields: { email: customer } };
	},
	"adopt-payment": async () => ({ fields: { lost: (await share("open")).id } }),
	"recreate-order": async () => {
		const order = await share("open");
		await waitForJobs();
		await copyOrder(shop.shop, order.id);
		return { fields: { lost: order.id } };
	},
	"move-draft": async () => {
		const [order, to] = [await newOrder(), await share("open")];
		return { order, fields: { draft: await drop(order, "move-draft"), to: to.id } };
	},
	"correct-address": async () => ({ order: await share("open"), fields: { email: customer, recipient: newRecipient } }),
	"correct-letter": async () => ({
		order: await newOrder("postal"),
		fields: { deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" },
	}),
	"not-found": async () => ({ order: await newOrder(), fields: { because: "removed" } }),
	"change-company": async () => {
		const other = (await knownCompanies(shop.connection)).find(({ siren }) => siren !== "552032534") ?? expect.fail();
		const order = await newOrder();
		// its invoice leaves with it
		await shop.getMails(order, "confirmation");
		return { order, fields: { siren: other.siren, agreement: canary("change-company", "agreement") } };
	},
	deliver: async () => {
		const order = await newOrder();
		const draft = await drop(order, "deliver");
		return { order, fields: { draft } };
	},
	"replace-extract": async () => {
		const order = await share("done");
		const draft = await drop(order, "replace-extract");
		return { order, fields: { draft, because: canary("replace-extract", "because") } };
	},
	"revoke-share": async () => {
		const order = await share("done");
		const row = (await shop.orderRow(order.id)) as Order;
		const made = await createShare(shop.shop, row, "purchase", { label: "Banque", sender: "", purpose: "", days: "7", code: "" });
		return { order, fields: { share: made.ok ? made.id : expect.fail() } };
	},
	"refuse-refund-request": async () => {
		const order = await share("done");
		expect(await askForRefund(shop.shop, order.id, "purchase", "Illisible")).toMatchObject({ ok: true });
		return { order, fields: { answer: canary("refuse-refund-request", "answer") } };
	},
	"close-failed-refund": async () => {
		const order = await share("done");
		const refund = await insertRefund(order, { status: "failed", note: canary("close-failed-refund", "before") });
		return { order, fields: { refund, note: canary("close-failed-refund", "note") } };
	},
	"release-refund": async () => {
		const order = await share("done");
		await insertRefund(order, { status: "requested", held_until: later(1) });
		return { order };
	},
	"release-refunds": async () => {
		await insertRefund(await share("done"), { status: "requested", held_until: later(1) });
		return {};
	},
	"mark-printed": async () => {
		const printed = await desk.post("/bureau/courrier/lettres", { orders: (await share("letter")).id });
		expect(printed.headers.get("content-type")).toBe("application/pdf");
		letters.push(Buffer.from(await printed.arrayBuffer()));
		return {};
	},
	"post-letter": async () => ({ order: await share("letter"), fields: { tracking: "1A11111111111" } }),
	"correct-tracking": async () => {
		const order = await share("letter");
		await shop.untilOrderIs("completed", order.id);
		return { order, fields: { tracking: "1A22222222222", because: canary("correct-tracking", "because") } };
	},
	"close-shop": async () => ({ fields: { sentence: canary("close-shop", "sentence") } }),
	"reopen-shop": async () => ({}),
	"pause-express": async () => ({}),
	"resume-express": async () => ({}),
	"add-days-off": async () => ({ fields: { from: "24/12/2029" } }),
	"remove-days-off": async () => ({ fields: { from: "24/12/2029" } }),
	"set-capacity": async () => ({ fields: { all: "10000" } }),
	"set-pace": async () => ({ fields: { pace: "1000" } }),
	"set-refund-brake": async () => ({ fields: { refunds: "1000", euros: "" } }),
	"read-bulletin": async () => ({}),
	"stop-bulletin": async () => ({}),
	"update-accounts": async () => ({}),
	"set-books": async () => ({
		fields: {
			...{ customers: "collective", yearStart: "7", layout: "sage100", ownColumns: "Debit", salesPeriod: "month", platformId: "A1B2" },
			platformName: canary("set-books", "platformName"),
		},
	}),
	"prepare-e-report": async () => {
		const [period] = listPeriods(getMonth(shop.shop.now()), "sales", "month");
		return { fields: { flow: "sales", ...period }, at: later(40) };
	},
	"close-month": async () => {
		await waitForJobs();
		await act("update-accounts", { at: later(40) });
		const month = getMonth(shop.shop.now());
		return { fields: { month, seen: await getMonthHash(shop.shop.db, month), confirmed: "on" }, at: later(40) };
	},
	reply: async () => ({ fields: { ...(await write(writer)), text: `Bonjour, ${canary("reply", "text")}.` } }),
	"claim-conversation": async () => ({ fields: await write(writer) }),
	"take-over-conversation": async () => ({ fields: await write(writer) }),
	"close-conversation": async () => ({ fields: await write(writer) }),
	"save-reply-template": async () => ({
		fields: { title: canary("save-reply-template", "title"), text: canary("save-reply-template", "text") },
	}),
	"delete-reply-template": async () => ({ fields: await newTemplate("delete-reply-template") }),
	refund: async () => {
		const order = await newOrder();
		const fields = { payment: (await getPayment(order)).id, left: "5900", part: "whole", cause: "other", stop: "yes" };
		return { order, fields: { ...fields, note: canary("refund", "note") } };
	},
	stop: async () => {
		const order = await newOrder();
		await shop.shop.db.updateTable("orders").set({ refunded_cents: 5900 }).where("id", "=", order.id).execute();
		return { order };
	},
	reconcile: async () => ({}),
	"erase-person": async () => {
		await delivered("express", erased);
		return { fields: { email: erased, again: erased } };
	},
	invite: async () => ({ fields: { name: canary("invite", "name"), email: "new@bureau.example", "role-serve": "on" } }),
	"cancel-invitation": async () => {
		const query = shop.shop.db.selectFrom("operators.invitation").select("id").where("email", "=", "new@bureau.example");
		return { fields: { invitation: (await query.executeTakeFirstOrThrow()).id } };
	},
	"change-roles": async () => ({ fields: { person: await newPerson("Bob"), "role-refund": "on" } }),
	"end-operator": async () => ({ fields: { person: await newPerson("Eve") } }),
	"end-sessions": async () => ({ fields: { person: await newPerson("Max") } }),
};

/** The letters that the desk printed, which their recipients read. */
const letters: Buffer[] = [];

/** All canaries in texts, each with where it stands; but for those that `allowed` names. */
const listLeaks = (texts: readonly ReadText[], allowed: Record<string, string>) => [
	...new Set(
		texts.flatMap(({ where, text }) =>
			(text.match(new RegExp(`${mark}\\w*`, "gi")) ?? []).flatMap((found) => (Object.hasOwn(allowed, found) ? [] : [`${found}: ${where}`])),
		),
	),
];

const readAllMails = () => readMails(join(shop.shop.environment.dataDir, "mails"));

/** Opens « Mes commandes » by the link of an e-mail. @returns the cookie. */
async function signIn(email: string): Promise<string> {
	await shop.postForm("/mes-commandes", { email });
	const link = await waitFor(async () => {
		const links = (await readAllMails()).flatMap((mail) => (mail.to === email ? mail.links : []));
		return links.find((each) => each.startsWith("/mes-commandes/lien/")) ?? expect.fail("no link");
	});
	const opened = await shop.postForm(link, {});
	return opened.headers.getSetCookie()[0]?.split(";")[0] ?? expect.fail("no cookie");
}

/** Waits until no job is left that could send something. */
const waitForJobs = () =>
	waitFor(async () => {
		const { rows: left } = await sql`select name from jobs.job where state < 'completed' and start_after <= now()`.execute(shop.shop.db);
		expect(left).toEqual([]);
	});

/** What is read of one order with each key, from its pages on. */
async function readOrder(order: Order, known: Set<string>): Promise<ReadText[]> {
	const texts: ReadText[] = [];
	const { order_number: number, purchase_id, customer_email: email } = order;
	const isAlone = (await listOrdersOfPurchase(shop.shop.db, purchase_id)).length === 1;
	const cookies = [
		...(isAlone ? (["purchase", "link"] as const) : (["line", "purchase", "link", "purchase-link"] as const)).map((access) =>
			createTrackingCookies(shop.shop, order, access),
		),
		await createConfirmationCookies(shop.shop, purchase_id, createVisit()),
	].map((headers) => headers.getSetCookie()[0]?.split(";")[0] ?? "");
	const session = await shop.shop.db.selectFrom("payment_sessions").select("id").where("order_id", "=", purchase_id).executeTakeFirst();
	const paths = ["", ...(isAlone ? [] : ["/ensemble", "/commande-groupee"])].map((end) => `/suivi/${number}${end}`);
	for (const cookie of [...cookies, ""]) texts.push(...(await browse(shop, [...paths, `/confirmation/${session?.id}`], cookie, known)));
	const tracked = await shop.postJson("/api/suivi", { email, orderId: number });
	const text = await tracked.text();
	texts.push(
		{ where: `POST /api/suivi of ${number}`, text },
		...(await browse(shop, text.match(/\/documents\/[\w.-]+/g) ?? [], "", known)),
	);
	return texts;
}

/** What the reader of a shared link gets: its first page, the page behind its button, and the file. */
async function readShare(order: Order, known: Set<string>): Promise<ReadText[]> {
	const made = await createShare(shop.shop, order, "purchase", { label: "Banque", sender: "", purpose: "", days: "7", code: "" });
	const path = new URL(shareUrl(shop.shop, made.ok ? made.id : "")).pathname;
	const opened = await (await shop.postForm(path, {})).text();
	const files = opened.match(/\/partage\/fichier\/[\w.-]+/g) ?? expect.fail("no shared file");
	return [{ where: "a shared link", text: opened }, ...(await browse(shop, [path, ...files], "", known))];
}

/** A live stream of an order, once it has said that something changed. */
async function readStream(order: Order, change: () => Promise<unknown>): Promise<ReadText> {
	const controller = new AbortController();
	const cookie = createTrackingCookies(shop.shop, order, "purchase").getSetCookie()[0]?.split(";")[0] ?? "";
	const stream = await shop.ask(`/suivi/${order.order_number}/direct`, { headers: { cookie }, signal: controller.signal });
	await change();
	let text = "";
	const decoder = new TextDecoder();
	for await (const chunk of stream.body ?? []) {
		text += decoder.decode(chunk);
		if (text.includes("event: change")) break;
	}
	controller.abort();
	return { where: "the live stream", text };
}

/** Acts on the lines of a purchase of several, and an approved one. */
async function servePurchase() {
	const { orders, payUrl } = await placePurchase(shop, [{ service: "express" }, { service: "express" }, { service: "postal" }], {
		...{ email: customer, deliveryEmail: recipient },
		...{ deliveryName: "Ada Lovelace", deliveryAddress: "1 rue de la Paix", deliveryPostalCode: "75002", deliveryCity: "Paris" },
	});
	await shop.payByCard(payUrl);
	for (const { id } of orders) await shop.untilOrderIs("processing", id);
	const [first, second, third] = orders.map((order) => ({ ...order, number: order.order_number, sessionId: "", payUrl }));
	if (!first || !second || !third) throw new Error("a line is missing");
	for (const order of [first, third]) {
		await waitFor(() => findRequest(order));
		await act("deliver", { order, fields: { draft: await drop(order, "deliver") } });
	}
	await act("not-found", { order: second, fields: { because: "removed" } });
	await act("note", { order: second, fields: { text: canary("note", "text") } });
	await waitFor(async () => expect(await shop.getEventTypes(third.id)).toContain("document_issued"));
	const typed = await desk.post("/bureau/courrier", { key: crypto.randomUUID(), liste: `${third.number} 1A44444444444` });
	expect((await typed.text()).includes("1 courrier posté")).toBe(true);
	await shop.untilOrderIs("completed", third.id);
}

/** A refund that a second person approves, who has had their access for long. */
async function refundWithApproval() {
	const order = await delivered("express");
	const fields = { payment: (await getPayment(order)).id, left: "5900", part: "half", cause: "other", note: canary("refund", "note") };
	const environment = { ...shop.shop.environment, refundApprovalCents: 100 };
	const form = { act: "refund", key: crypto.randomUUID(), orderId: order.id, fields };
	const [asks, approves] = [deskId, serving.actor.id].map((id) => ({
		...{ id, name: canary("refund", "operator"), roles: new Set(roles), origin: "test" },
	}));
	if (!asks || !approves) throw new Error("an operator is missing");
	await shop.shop.db
		.updateTable("operators.member")
		.set({ granted_at: later(-9) })
		.execute();
	await shop.shop.db
		.updateTable("operators.invitation")
		.set({ created_at: later(-9), used_at: later(-9) })
		.execute();
	expect(await performAct({ ...shop.shop, environment }, asks, form)).toMatchObject({ state: "waiting for approval" });
	expect(await approve({ ...shop.shop, environment }, approves, form.key)).toMatchObject({ ok: true });
	await runScheduledAct(shop.shop, form.key);
}

/** Every kind of event with everything that the desk writes into some, and with a field that nobody knows yet. */
async function recordEvents() {
	const order = await share("done");
	const fields = ["by", "because", "reason", "note", "address", "before", "confirmed", "replaces", "operator", "unknown"];
	await shop.shop.db.transaction().execute(async (trx) => {
		for (const type of typedKeys(publicFields)) {
			const internal = fields.filter((field) => !publicFields[type].includes(field));
			const payload = Object.fromEntries(internal.map((field) => [field, canary(type, field)]));
			await recordEvent(trx, { orderId: order.id, type, payload, now: shop.shop.now() });
		}
	});
}

/** What a script in a terminal does for a person whom it names. */
async function useTerminal() {
	const order = await newOrder("postal");
	const lines = extractLines({ dated: `à jour au ${formatDay(shop.shop.now())}` });
	const readInput = async () => generatePdf({ lines: [...lines, "terminal"] });
	const run = async (...args: string[]) => {
		const { ok, text } = await runCommand({ shop: shop.shop, readInput }, [...args, "--as", canary("terminal", "as")]);
		expect([ok, text]).toEqual([true, text]);
	};
	await run("upload", order.number, "-");
	await run("post", order.number, "1A55555555555");
	await shop.untilOrderIs("completed", order.id);
}

test("each act of the desk is in the table", () => {
	expect(Object.keys(rows).sort()).toEqual(acts.map(({ name }) => name).sort());
});

test(
	"names, reasons and notes of the desk leave it nowhere",
	async () => {
		const texts: ReadText[] = [];
		const known = new Set<string>();
		for (const [name, row] of Object.entries(rows)) {
			const sent = await row();
			const order = sent.order && ((await shop.orderRow(sent.order.id)) as Order);
			const perform = async () => expect([name, await act(name, sent)]).toEqual([name, expect.objectContaining({ state: "done" })]);
			if (["record-request", "replace-extract", "correct-tracking"].includes(name) && order) texts.push(await readStream(order, perform));
			else await perform();
			if (name === "close-shop") texts.push(...(await browse(shop, ["/", "/status-systeme", "/commande", "/contact"], "", known)));
		}
		await servePurchase();
		await refundWithApproval();
		await recordEvents();
		await useTerminal();
		await waitForJobs();
		const orders = (await shop.shop.db.selectFrom("orders").selectAll().where("erased_at", "is", null).execute()) as Order[];
		for (const order of orders) texts.push(...(await readOrder(order, known)));
		texts.push(...(await readShare((await shop.orderRow((await share("done")).id)) as Order, known)));
		texts.push(...(await browse(shop, ["/mes-commandes"], await signIn(customer), known)));
		await waitForJobs();
		const { operatorEmail, shop: identity } = shop.shop.environment;
		const ours = (to: string) => to.endsWith("@bureau.example") || to === operatorEmail || to === identity.email;
		const mails = (await readAllMails()).filter(({ to }) => !ours(to));
		texts.push(...mails.flatMap((mail) => mail.texts));
		texts.push(...(await browse(shop, [...new Set(mails.flatMap(({ links }) => links))], "", known)));
		texts.push(
			...(await browse(shop, ["/", "/status-systeme", "/statistiques", "/entreprise/552032534", "/api/entreprises/552032534"], "", known)),
		);
		for (const { order_number: number } of orders) {
			const dossier = await desk.ask(`/bureau/argent/${number}/dossier.zip`);
			texts.push(...(await readFileTexts(`the dossier for the bank of ${number}`, Buffer.from(await dossier.arrayBuffer()))));
		}
		for (const letter of letters) texts.push(...(await readFileTexts("a letter", letter)));

		expect(listLeaks(texts, shown)).toEqual([]);
		for (const read of [
			...["/suivi/KB-", "/ensemble.data", "/confirmation/", "/verifier/", "/mes-commandes/factures", "/partage/fichier/", "live stream"],
			...[
				"/documents/",
				"manifeste.csv",
				".pdf, text",
				"e-mail to banque@example.fr",
				": notre réponse",
				"a letter, text",
				"dossier for the bank of",
			],
		])
			expect([read, texts.some(({ where }) => where.includes(read))]).toEqual([read, true]);
		// what is written for them is read, so the search finds what is there
		const signed = texts.filter(({ text }) => text.includes(replyAuthor)).map(({ where }) => where);
		expect(signed.filter((where) => !/^e-mail to .*: notre réponse$/.test(where))).toEqual([]);
		for (const each of Object.keys(shown)) expect([each, texts.some(({ text }) => text.includes(each))]).toEqual([each, true]);

		const exports: ReadText[] = [];
		for (const email of [customer, recipient, newRecipient, writer, erased])
			exports.push({ where: `export of ${email}`, text: JSON.stringify(await exportPerson(shop.shop, email)) });
		expect(listLeaks(exports, { ...shown, ...exported })).toEqual([]);
		for (const each of Object.keys(exported)) expect(exports[0]?.text).toContain(each);
	},
	scaledTimeout(300_000),
);
