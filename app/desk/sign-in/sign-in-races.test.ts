import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { createBrowser, createOperator, freshCode, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { createInvitationUrl, inviteOperator } from "../operators/invite-operator.server.ts";
import { findOperator } from "../operators/operators.store.server.ts";

// requests that wait at a lock which the test holds, so that another one comes between
let shop: TestShop;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	boss = await createOperator(shop, "Boss", ["settings"]);
});
afterAll(() => shop?.close());

const newPassword = "une longue phrase de passe";

const findId = async (email: string) =>
	(await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

const invite = (email: string) => inviteOperator(shop.shop, { email, name: "Lea", roles: ["serve"], invitedBy: "test" });

const accept = (url: string) => createBrowser(shop.url).post(new URL(url).pathname, { password: newPassword });

/** Locks with a statement, runs the steps, and lets go. `untilWaiting` resolves when as many requests wait for a lock. */
async function whileLocked(lock: (trx: Trx) => Promise<unknown>, steps: (untilWaiting: (count: number) => Promise<void>) => Promise<void>) {
	await shop.shop.db.transaction().execute(async (trx) => {
		await lock(trx);
		await steps((count) =>
			vi.waitFor(
				async () => {
					const { rows } = await sql<{ waiting: number }>`
						select count(*)::integer as waiting from pg_stat_activity
						where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.shop.db);
					expect(rows[0]?.waiting).toBe(count);
				},
				{ timeout: scaledTimeout(20_000), interval: 20 },
			),
		);
	});
}

test("who accepts an invitation while their access is closed has no access", async () => {
	const lea = await createOperator(shop, "Lea", ["serve"]);
	const id = await findId(lea.email);
	const url = await invite(lea.email);
	const requests: Promise<Response>[] = [];
	await whileLocked(
		(trx) => trx.selectFrom("operators.invitation").select("id").where("email", "=", lea.email).forUpdate().execute(),
		async (untilWaiting) => {
			requests.push(accept(url));
			await untilWaiting(1);
			requests.push(boss.post("/bureau/equipe", { act: "end-operator", key: crypto.randomUUID(), person: id }));
			await untilWaiting(2);
		},
	);
	const [, ended] = await Promise.all(requests);
	expect(await ended?.text()).toContain("L’accès est fermé");
	expect((await findOperator(shop.shop.db, id))?.leftAt).not.toBeNull();
});

test("who accepts one of two invitations of the same minute ends the other", async () => {
	const email = "max@bureau.example";
	const urls = [await invite(email)];
	const first = await shop.shop.db.selectFrom("operators.invitation").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
	// as two requests at once make them: neither sees the other
	const second = { ...first, id: crypto.randomUUID() };
	await shop.shop.db.insertInto("operators.invitation").values(second).execute();
	urls.push(createInvitationUrl(shop.shop, second));
	const statuses = [];
	for (const url of urls) statuses.push((await accept(url)).status);
	expect(statuses).toEqual([200, 302]);
});

test.each<[string, (operator: TestOperator) => Promise<Response>, waits?: boolean]>([
	["all sessions end", (operator) => operator.post("/bureau/mon-acces", { do: "end-all" }), false],
	[
		"the password changes",
		(operator) => operator.post("/bureau/mon-acces", { do: "change-password", current: operator.password, next: newPassword }),
	],
	["an invitation replaces the access", async ({ email }) => accept(await invite(email))],
])("a code that was accepted while %s opens nothing", async (_event, happen, waits = true) => {
	const operator = await createOperator(shop, `Op${crypto.randomUUID().slice(0, 8)}`, ["serve"]);
	const id = await findId(operator.email);
	const other = createBrowser(shop.url);
	await other.post("/bureau/connexion", { email: operator.email, password: operator.password });
	const code = await freshCode(shop, operator);
	const requests: Promise<Response>[] = [];
	await whileLocked(
		// a new session refers to the account; ending sessions does not
		(trx) => trx.selectFrom("operators.user").select("id").where("id", "=", id).forUpdate().execute(),
		async (untilWaiting) => {
			requests.push(other.post("/bureau/connexion/code", { code }));
			await untilWaiting(1);
			const event = happen(operator);
			requests.push(event);
			await (waits ? untilWaiting(2) : event);
		},
	);
	expect((await Promise.all(requests))[0]?.status).toBe(401);
	expect((await other.ask("/bureau/commandes")).headers.get("location")).toContain("/bureau/connexion");
	const sessions = await shop.shop.db.selectFrom("operators.session").select("proved_at").where("user_id", "=", id).execute();
	expect(sessions.length).toBeLessThanOrEqual(1);
});

test("a password that was given before all sessions ended asks for the password again", async () => {
	const tom = await createOperator(shop, "Tom", ["serve"]);
	const other = createBrowser(shop.url);
	await other.post("/bureau/connexion", { email: tom.email, password: tom.password });
	await tom.post("/bureau/mon-acces", { do: "end-all" });
	const answer = await other.post("/bureau/connexion/code", { code: await freshCode(shop, tom) });
	expect(answer.headers.get("location")).toBe("/bureau/connexion?expire");
});

test("a second factor that was confirmed stays when another one is prepared at the same time", async () => {
	const vic = createBrowser(shop.url);
	await vic.post(new URL(await invite("vic@bureau.example")).pathname, { password: newPassword });
	const other = createBrowser(shop.url);
	await other.post("/bureau/connexion", { email: "vic@bureau.example", password: newPassword });
	const id = await findId("vic@bureau.example");
	const ownRow = () => shop.shop.db.selectFrom("operators.two_factor").select("secret").where("user_id", "=", id).executeTakeFirst();
	const before = await ownRow();
	const requests: Promise<Response>[] = [];
	await whileLocked(
		async (trx) => {
			await trx.selectFrom("operators.two_factor").select("id").where("user_id", "=", id).forUpdate().execute();
			await trx.updateTable("operators.two_factor").set({ verified: true }).where("user_id", "=", id).execute();
		},
		async (untilWaiting) => {
			requests.push(other.post("/bureau/second-facteur", { password: newPassword }));
			await untilWaiting(1);
		},
	);
	await Promise.all(requests);
	expect(await ownRow()).toEqual(before);
});
