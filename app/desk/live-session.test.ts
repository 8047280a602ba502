import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { endOperator } from "../operators/end-operator.server.ts";

let shop: TestShop;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
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
		["leaving", async (operator) => endOperator(shop.shop, await findId(operator))],
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
			.set({ expires_at: new Date(Date.now() + scaledTimeout(1500)) })
			.where("user_id", "=", await findId(operator))
			.execute();
		const stream = await openStream(operator);
		expect(await withinSeconds(stream.end)).toBe("ended");
	});
});
