import { connect } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { grantRefund } from "../../test/refunds.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type * as Bundle from "../bundle.ts";
import { cents } from "../catalogue/money.ts";
import { performAct } from "../desk/acts/perform-act.server.ts";
import { eraseOrders } from "../desk/retention/erase-orders.server.ts";
import { runCommand } from "./run-command.server.ts";

/** What the log tells of one order, as its operator would look it up. */

interface Line {
	level: number;
	msg: string;
	request?: string;
	order?: string;
	event?: string;
	[field: string]: unknown;
}

const customer = { email: "augusta.ada@recognisable.example", firstName: "Augusta", lastName: "Lovelace-Byron", phone: "06 98 76 54 32" };
const lines: Line[] = [];
let written = "";
let shop: TestShop;
let mailServer: Awaited<ReturnType<typeof startFakeSmtp>>;

beforeAll(async () => {
	mailServer = await startFakeSmtp();
	shop = await createTestShop({
		variables: { LOG_LEVEL: "info", TRUSTED_PROXIES: "1", SMTP_URL: mailServer.url },
		onLog(line) {
			written += line;
			lines.push(JSON.parse(line));
		},
	});
});
afterAll(async () => {
	await shop.close();
	await mailServer.close();
});

const eventually = (check: () => void) => vi.waitFor(check, { timeout: scaledTimeout(20_000), interval: 25 });
const getLogLines = (order: string) => lines.filter((line) => line.order === order);
const getEventTypes = (order: string) =>
	getLogLines(order)
		.flatMap(({ event, kind, status }) => (event ? [[event, kind ?? status].filter(Boolean).join(" ")] : []))
		.flat();

const place = (id: string) => shop.postJson("/api/create-payment", paymentRequest({ customer }), { "x-request-id": id });
async function placeAs(id: string) {
	const { url } = (await (await place(id)).json()) as { url: string };
	const sessionId = url.split("/").at(-1) ?? "";
	const { order_id } = await shop.shop.db
		.selectFrom("payment_sessions")
		.select("order_id")
		.where("id", "=", sessionId)
		.executeTakeFirstOrThrow();
	const { order_number } = await shop.orderRow(order_id);
	return { id: order_id, number: order_number, sessionId, payUrl: url };
}

test("the log lines of an order give each step once, from its request to its erasure, without personal data", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const placed = await placeAs("order-one");
	mailServer.controls.greylist(1);
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("completed", placed.id);
	await eventually(() => expect(getEventTypes(placed.id)).toEqual(expect.arrayContaining(["mail_sent confirmation", "completed"])));
	const mail = mailServer.mails.find(({ content }) => content.text?.includes("/documents/"));
	expect((await shop.ask(/\/documents\/\S+/.exec(mail?.content.text ?? "")?.[0] ?? "")).status).toBe(200);
	await runCommand({ shop: shop.shop, readInput: async () => null }, ["post", placed.number, "1A23456789012"]);
	await grantRefund(shop.shop, placed.id, cents(1000));
	await eventually(() => expect(getEventTypes(placed.id)).toContain("mail_sent refunded"));
	expect(await eraseOrders(shop.shop, [placed.id])).toMatchObject({ erased: [placed.id] });

	const events = getEventTypes(placed.id);
	// invoice and document are made side by side, and each mail leaves when it can
	expect([...events].sort()).toEqual(
		[
			...[
				"created",
				"session_opened",
				"paid",
				"processing",
				"extract_requested",
				"invoice_issued",
				"document_issued",
				"mail_sent confirmation",
			],
			...["mail_sent document-ready", "document_sent", "completed", "refund requested", "refunded"],
			...["credit_note_issued", "mail_sent refunded", "extract_deleted", "erased"],
		].sort(),
	);
	const inOrder = [
		"created",
		"session_opened",
		"paid",
		"processing",
		"extract_requested",
		"document_issued",
		"completed",
		"refund requested",
		"refunded",
		"erased",
	];
	expect(events.filter((event) => inOrder.includes(event))).toEqual(inOrder);
	expect(getLogLines(placed.id)).toContainEqual(
		expect.objectContaining({ event: "invoice_issued", number: expect.stringMatching(/^F\d{4}-\d{6}$/) }),
	);

	// what else was about it: its requests by their route, the job that failed, its document, the operator's command
	const told = (fields: object) => expect(getLogLines(placed.id)).toContainEqual(expect.objectContaining(fields));
	told({ msg: "request", request: "order-one", route: "/api/create-payment" });
	told({ msg: "request", route: "/api/stripe/webhook" });
	told({ msg: "a job failed and will be tried again", level: 50, job: "send-order-mail" });
	told({ msg: "a document was opened", document: expect.any(String) });
	told({ msg: "request", route: "/documents/:token" });
	told({ msg: "an operator's command", command: "orders post", outcome: "refused" });
	for (const secret of [...Object.values(customer), placed.sessionId, "Paix", "127.0.0.1"]) expect(written).not.toContain(secret);
});

test("a job's log lines name the request that caused it, or the act's entry in the operators' log", {
	timeout: scaledTimeout(60_000),
}, async () => {
	const placed = await placeAs("order-two");
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("completed", placed.id);
	const webhook = getLogLines(placed.id).find(({ route }) => route === "/api/stripe/webhook");
	const delivered = getLogLines(placed.id).find(({ event }) => event === "document_issued");
	expect(delivered).toMatchObject({ request: webhook?.request, job: "fulfil-order", jobId: expect.any(String) });
	const listSendings = () => getLogLines(placed.id).filter(({ event, kind }) => event === "mail_sent" && kind === "confirmation");
	// another job writes the confirmation
	await eventually(() => expect(listSendings()).toHaveLength(1));
	const resend = { act: "resend", key: crypto.randomUUID(), orderId: placed.id, fields: { kind: "confirmation" } };
	const ada = { id: crypto.randomUUID(), name: "Ada", roles: new Set(["serve"] as const), origin: "test" };
	expect(await performAct(shop.shop, ada, resend)).toMatchObject({ state: "done" });
	const run = await shop.shop.db.selectFrom("desk_log").select("run").where("subject", "=", placed.number).executeTakeFirstOrThrow();
	await eventually(() => expect(listSendings().map(({ request }) => request)).toContain(run.run));
});

test("a transaction that is rolled back logs nothing", async () => {
	const placed = await placeAs("order-three");
	const { changeState } = await import("../orders/orders.store.server.ts");
	const broken = shop.shop.db.transaction().execute(async (trx) => {
		await changeState(trx, placed.id, "cancelled", { set: { failure_reason: "cancelled" }, now: new Date() });
		throw new Error("the rest failed");
	});
	await expect(broken).rejects.toThrow("the rest failed");
	expect(getEventTypes(placed.id)).toEqual(["created", "session_opened"]);
});

test.each([
	["order-four_A.1", "order-four_A.1"],
	["two words", null],
	["*/ drop table orders; --", null],
	["x".repeat(65), null],
	[undefined, null],
])("the response carries the proxy's request id %j, and an invalid one is replaced", async (given, kept) => {
	const answer = await shop.ask("/healthz", { headers: given === undefined ? {} : { "x-request-id": given } });
	expect(answer.headers.get("x-request-id")).toMatch(kept ? new RegExp(`^${kept}$`) : /^[0-9a-f-]{36}$/);
});

test("a running SQL statement names its request", async () => {
	const { inContext } = await import("../../server/observability/request-context.ts");
	const { sql } = await import("kysely");
	const seen = sql<{ query: string }>`select query from pg_stat_activity where pid = pg_backend_pid()`;
	const { rows } = await inContext({ request: "order-five", job: "x */ y" }, () => seen.execute(shop.shop.db));
	expect(rows[0]?.query).toMatch(/ \/\* request=order-five \*\/$/);
});

/** Sends the beginning of a request, or all of it, and leaves without reading the answer. */
function leave(text: string, after: number): Promise<void> {
	const { hostname, port } = new URL(shop.url);
	return new Promise((gone) => {
		const socket = connect(Number(port), hostname, () => {
			socket.write(text.replaceAll("\n", "\r\n"));
			setTimeout(() => socket.destroy(), after);
		});
		socket.on("error", () => {});
		socket.on("close", () => gone());
	});
}

test("requests whose clients disconnected are logged as 499 at level info, in every phase", {
	timeout: scaledTimeout(60_000),
}, async () => {
	const from = lines.length;
	const form = "Host: x\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 500\n\n";
	const requests = [
		`POST /suivi-commande HTTP/1.1\n${form}email=a`,
		`POST /paiement?siren=552032534&service=express HTTP/1.1\n${form}email=a`,
		`POST /api/create-payment HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: 900\n\n{"a":`,
		`POST /api/stripe/webhook HTTP/1.1\nHost: x\nContent-Length: 900\n\n{"a":`,
		"GET /entreprises?q=paris HTTP/1.1\nHost: x\n\n",
		"GET /api/entreprises?q=danone HTTP/1.1\nHost: x\n\n",
	];
	for (const after of [0, 1, 3, 10]) await Promise.all(requests.map((text) => leave(text, after)));
	await eventually(() => expect(lines.slice(from).filter(({ status }) => status === 499).length).toBeGreaterThan(8));
	const told = lines.slice(from);
	expect(told.filter(({ level }) => level > 30)).toEqual([]);
	expect(told.filter(({ status }) => Number(status) >= 500)).toEqual([]);
});

test.each([
	["its body broke off", { incoming: { errored: new Error("aborted") } }],
	["nobody is there to read the answer", { outgoing: { destroyed: true, writableFinished: false } }],
])("a request is logged as 499 before its signal is aborted by the client's disconnection: %s", async (_, env) => {
	const { createWeb }: typeof Bundle = await import("../../build/server/index.js" as string);
	const from = lines.length;
	await (await createWeb(shop.shop)).fetch(new Request(`${shop.url}/cgv`), env);
	expect(lines.slice(from)).toContainEqual(expect.objectContaining({ level: 30, route: "/cgv", status: 499 }));
});

test("successful health checks are not logged", async () => {
	const from = lines.length;
	await shop.ask("/healthz");
	const { status } = await shop.ask("/readyz");
	await shop.ask("/cgv");
	const told = lines.slice(from).filter(({ route }) => ["/healthz", "/readyz", "/cgv"].includes(String(route)));
	expect(told.map(({ route }) => route)).toEqual(status === 200 ? ["/cgv"] : ["/readyz", "/cgv"]);
});
