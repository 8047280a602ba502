import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../test/operators.ts";
import { createServing } from "../../test/serving.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { runDeskCommand } from "../commands/desk-commands.server.ts";
import { closeAccess } from "./access/end-access.server.ts";
import { runScheduledAct } from "./acts/perform-act.server.ts";
import { insertPushDevice } from "./alerts/alerts.store.server.ts";

let shop: TestShop;
let boss: TestOperator;
let serving: Awaited<ReturnType<typeof createServing>>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
	boss = await createOperator(shop, "Boss", ["settings"]);
});
afterAll(() => shop?.close());

const findId = async ({ email }: TestOperator) =>
	(await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

/** Opens the live stream of an operator. `end` comes when the server ends it. */
async function openStream(operator: TestOperator) {
	const leaving = new AbortController();
	const answer = await operator.ask("/bureau/direct", { signal: leaving.signal });
	expect(answer.headers.get("content-type")).toBe("text/event-stream");
	const reader = answer.body?.getReader();
	await reader?.read();
	const readAll = async () => {
		while (!(await reader?.read())?.done);
		return "ended";
	};
	return { end: readAll().catch(() => "left"), leave: () => leaving.abort() };
}

const isOpenFor = (milliseconds: number) => new Promise<string>((resolve) => setTimeout(() => resolve("open"), milliseconds));
const withinSeconds = (end: Promise<string>) => Promise.race([end, isOpenFor(scaledTimeout(5000))]);

describe("a live stream of the desk ends with its session", () => {
	test.each<[string, (operator: TestOperator) => Promise<unknown>]>([
		["signing out", (operator) => operator.post("/bureau/deconnexion", {})],
		["ending all sessions", (operator) => operator.post("/bureau/mon-acces", { do: "end-all" })],
		[
			"a manager",
			async (operator) => boss.post("/bureau/equipe", { act: "end-sessions", key: crypto.randomUUID(), person: await findId(operator) }),
		],
		["leaving", async (operator) => closeAccess(shop.shop, await findId(operator))],
	])("by %s", async (_way, endSession) => {
		const operator = await createOperator(shop, `Op${crypto.randomUUID().slice(0, 8)}`, ["serve"]);
		const [stream, other] = [await openStream(operator), await openStream(boss)];
		await endSession(operator);
		expect(await withinSeconds(stream.end)).toBe("ended");
		expect((await operator.ask("/bureau/direct")).status).toBe(302);
		expect(await Promise.race([other.end, isOpenFor(300)])).toBe("open");
		other.leave();
	});

	test("by time", async () => {
		const operator = await createOperator(shop, "Tim", ["serve"]);
		await shop.shop.db
			.updateTable("operators.session")
			.set({ expires_at: new Date(Date.now() + scaledTimeout(500)) })
			.where("user_id", "=", await findId(operator))
			.execute();
		const stream = await openStream(operator);
		expect(await withinSeconds(stream.end)).toBe("ended");
	});
});

const addDevice = (operatorId: string, name: string) => {
	const device = { endpoint: `https://fcm.googleapis.com/fcm/send/${operatorId}-${name}`, p256dh: "x", auth: "y" };
	return insertPushDevice(shop.shop.db, operatorId, device, new Date());
};

const listDevices = (operatorId: string) =>
	shop.shop.db.selectFrom("push_subscriptions").select("endpoint").where("operator_id", "=", operatorId).execute();

const findHolders = async (...orders: string[]) =>
	(await shop.shop.db.selectFrom("order_claims").select("operator_id").where("order_id", "in", orders).execute()).map(
		({ operator_id }) => operator_id,
	);

const endByManager = async (operator: TestOperator) =>
	(await boss.post("/bureau/equipe", { act: "end-sessions", key: crypto.randomUUID(), person: await findId(operator) })).text();

describe("nothing that a thief asked for goes on, and their telephone shows no alert", () => {
	test.each<[string, (operator: TestOperator) => Promise<unknown>]>([
		["all sessions were ended", (operator) => operator.post("/bureau/mon-acces", { do: "end-all" })],
		["a manager ended the sessions", endByManager],
		[
			"a manager closed the access",
			async (operator) => boss.post("/bureau/equipe", { act: "end-operator", key: crypto.randomUUID(), person: await findId(operator) }),
		],
		["the terminal closed the access", ({ email }) => runDeskCommand(shop.shop, ["end", email])],
		["an invitation replaced the access", ({ email }) => createOperator(shop, email.split("@")[0] ?? "", ["serve"])],
	])("after %s", async (_way, end) => {
		const thief = await createOperator(shop, `op${crypto.randomUUID().slice(0, 8)}`, ["serve"]);
		const id = await findId(thief);
		const order = await serving.newOrder();
		const key = crypto.randomUUID();
		await thief.post(`/bureau/commandes/${order.number}`, { act: "not-found", key, order: order.id, because: "removed" });
		await addDevice(id, "stolen");
		const kept = await serving.newOrder();
		await thief.post(`/bureau/commandes/${kept.number}`, { act: "claim", key: crypto.randomUUID(), order: kept.id });
		expect(await findHolders(order.id, kept.id)).toEqual([id, id]);
		await end(thief);
		expect(await findHolders(order.id, kept.id)).toEqual([]);
		await runScheduledAct(shop.shop, `not-found ${key}`);
		const acts = shop.shop.db.selectFrom("desk_acts").select(["undone_at", "started_at", "fields"]).where("act", "=", "not-found");
		expect(await acts.where("operator_id", "=", id).execute()).toEqual([{ undone_at: expect.any(Date), started_at: null, fields: null }]);
		expect(await listDevices(id)).toEqual([]);
	});

	test("and both people are told", async () => {
		const operator = await createOperator(shop, "Olga", ["serve"]);
		await addDevice(await findId(operator), "own");
		expect(await endByManager(operator)).toContain("Appareils désinscrits des alertes\u00a0: 1.");
		const again = await createOperator(shop, "Olga", ["serve"]);
		const answer = await again.post("/bureau/mon-acces", { do: "end-all" });
		expect(await (await again.ask(answer.headers.get("location") ?? "")).text()).toContain("vos appareils n’affichent plus d’alertes");
	});
});

test("an operator has at most ten devices that show alerts: the last ones", async () => {
	const id = await findId(await createOperator(shop, "Paul", ["serve"]));
	await Promise.all(Array.from({ length: 12 }, (_, i) => addDevice(id, `old-${i}`)));
	await addDevice(id, "new");
	const devices = await listDevices(id);
	expect(devices).toHaveLength(10);
	expect(devices.some(({ endpoint }) => endpoint.endsWith("new"))).toBe(true);
});
