import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { lockOrder } from "../../orders/orders.store.server.ts";
import { insertAct } from "../log/acts.store.server.ts";
import { endOperator } from "../operators/end-operator.server.ts";
import type { Actor, Role } from "../operators/roles.ts";
import { listPendingLines, listRefusedLines } from "./list-pending-lines.server.ts";
import { approve, dismiss, performAct, runScheduledAct, undo } from "./perform-act.server.ts";

let shop: TestShop;
let ada: Actor;
let bob: Actor;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await toActor(await createOperator(shop, "Ada", ["serve", "refund", "settings"]));
	bob = await toActor(await createOperator(shop, "Bob", ["serve", "refund", "settings"]));
});
afterAll(() => shop?.close());

async function toActor({ email }: TestOperator): Promise<Actor> {
	const query = shop.shop.db.selectFrom("operators.user").innerJoin("operators.member", "user_id", "operators.user.id");
	const { id, name, roles } = await query
		.select(["operators.user.id", "name", "roles"])
		.where("email", "=", email)
		.executeTakeFirstOrThrow();
	return { id, name, roles: new Set(roles as Role[]), origin: "test" };
}

async function paidOrder() {
	const placed = await shop.placeOrder();
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("processing", placed.id);
	return placed;
}

const giveUp = (orderId: string, key = crypto.randomUUID()) => ({ act: "not-found", key, orderId, fields: { because: "removed" } });
const free = (orderId: string) => shop.shop.db.deleteFrom("order_claims").where("order_id", "=", orderId).execute();
const note = (orderId: string, key = crypto.randomUUID()) => ({
	act: "note",
	key,
	orderId,
	fields: { text: "Le client rappelle à 10 h." },
});
const countNotes = async (orderId: string) =>
	(await shop.shop.db.selectFrom("order_notes").select("order_id").where("order_id", "=", orderId).execute()).length;
const trailOf = (number: string) =>
	shop.shop.db.selectFrom("desk_log").select(["verb", "who", "outcome", "change"]).where("subject", "=", number).orderBy("id").execute();
const findRow = (key: string) => shop.shop.db.selectFrom("desk_acts").selectAll().where("key", "=", key).executeTakeFirstOrThrow();

describe("an act that runs at once", () => {
	test("is done once, however often its form is sent", async () => {
		const { id, number } = await paidOrder();
		const form = note(id);
		const outcomes = await Promise.all(Array.from({ length: 6 }, () => performAct(shop.shop, ada, form)));
		expect(outcomes.filter(({ state }) => state !== "done" && state !== "running")).toEqual([]);
		expect(await performAct(shop.shop, ada, form)).toMatchObject({ state: "done", text: "La note est enregistrée." });
		expect(await countNotes(id)).toBe(1);
		expect((await trailOf(number)).filter(({ verb }) => verb === "note").map(({ outcome }) => outcome)).toEqual(["begun", "done"]);
	});

	test("keeps nothing of its fields once it is done", async () => {
		const { id } = await paidOrder();
		const form = note(id);
		await performAct(shop.shop, ada, form);
		expect(await findRow(form.key)).toMatchObject({ fields: null, ok: true });
	});

	/** As if the process had stopped an hour ago, in the middle of the act. */
	const crash = async (form: ReturnType<typeof note>) => {
		const longAgo = new Date(Date.now() - 3_600_000);
		await shop.shop.db
			.updateTable("desk_acts")
			.set({ ended_at: null, ok: null, sentence: null, requested_at: longAgo, started_at: longAgo, fields: toJson(form.fields) })
			.where("key", "=", form.key)
			.execute();
	};

	test("runs again with the same form after a crash", async () => {
		const { id } = await paidOrder();
		const form = note(id);
		await performAct(shop.shop, ada, form);
		await crash(form);
		expect(await performAct(shop.shop, ada, form)).toMatchObject({ state: "done" });
	});

	test("runs again as it was asked for, not as a later form with its key says", async () => {
		const [first, other] = [await paidOrder(), await paidOrder()];
		const form = note(first.id);
		await performAct(shop.shop, ada, form);
		await crash(form);
		const changed = { ...form, orderId: other.id, fields: { text: "Un autre texte, pour une autre commande." } };
		expect(await performAct(shop.shop, ada, changed)).toMatchObject({ state: "done" });
		expect(await countNotes(other.id)).toBe(0);
		const notes = await shop.shop.db.selectFrom("order_notes").select("text").where("order_id", "=", first.id).execute();
		expect(new Set(notes.map(({ text }) => text))).toEqual(new Set([form.fields.text]));
	});

	test("is the operator's own: nobody else reads its result with the key", async () => {
		const { id } = await paidOrder();
		const form = note(id);
		await performAct(shop.shop, ada, form);
		expect(await performAct(shop.shop, bob, form)).toMatchObject({ state: "refused" });
	});

	test.each([
		[{ act: "nothing", orderId: null, fields: {} }, "n’existe pas"],
		[{ act: "note", orderId: crypto.randomUUID(), fields: { text: "x" } }, "Cette commande n’existe pas"],
		[{ act: "note", orderId: null, fields: { text: "x" } }, "Cette commande n’existe pas"],
		[{ act: "constructor", orderId: null, fields: {} }, "n’existe pas"],
	])("%j is refused", async (form, sentence) => {
		const outcome = await performAct(shop.shop, ada, { ...form, key: crypto.randomUUID() });
		expect(outcome).toMatchObject({ state: "refused", text: expect.stringContaining(sentence) });
	});
});

describe("an act that can be undone", () => {
	test("waits, and does nothing when it is undone", async () => {
		const { id } = await paidOrder();
		const form = giveUp(id);
		const outcome = await performAct(shop.shop, ada, form);
		expect(outcome).toMatchObject({ state: "scheduled" });
		expect(await undo(shop.shop, bob, form.key)).toEqual({ ok: true, text: "Annulé\u00a0: rien n’a été fait." });
		await runScheduledAct(shop.shop, form.key);
		expect((await shop.orderRow(id)).status).toBe("processing");
		expect(await performAct(shop.shop, ada, form)).toMatchObject({ state: "undone" });
	});

	test("has its job at its time, and lets a note be written meanwhile, but nothing that it could not be undone with", async () => {
		const { id, number } = await paidOrder();
		const form = giveUp(id);
		const outcome = await performAct(shop.shop, ada, form);
		const { rows } = await sql<{ start_after: Date }>`
			select start_after from jobs.job where name = 'run-desk-act' and data->>'key' = ${form.key}`.execute(shop.shop.db);
		expect(rows).toEqual([{ start_after: new Date(outcome.state === "scheduled" ? outcome.dueAt : 0) }]);
		expect(await performAct(shop.shop, ada, note(id))).toEqual({
			...{ act: "note", key: expect.any(String), orderId: id, state: "done", text: "La note est enregistrée." },
		});
		const exclusive = { act: "record-request", key: crypto.randomUUID(), orderId: id, fields: {} };
		expect(await performAct(shop.shop, ada, exclusive)).toEqual({
			...{ act: "record-request", key: exclusive.key, orderId: id, state: "refused" },
			text: expect.stringMatching(/^«\u00a0Signaler l’extrait introuvable\u00a0», demandé par Ada, n’est pas encore fait/),
		});
		expect((await trailOf(number)).at(-1)).toMatchObject({
			...{ verb: "record-request", who: "Ada", outcome: "refused" },
			change: { after: { refusal: expect.stringMatching(/n’est pas encore fait/) } },
		});
		await undo(shop.shop, ada, form.key);
	});

	test("runs once at its time, and is then too late to undo", async () => {
		const { id, number } = await paidOrder();
		const form = giveUp(id);
		await performAct(shop.shop, ada, form);
		await Promise.all([runScheduledAct(shop.shop, form.key), runScheduledAct(shop.shop, form.key)]);
		await shop.untilOrderIs("failed", id);
		expect(await undo(shop.shop, ada, form.key)).toMatchObject({ ok: false });
		const refunds = await shop.shop.db.selectFrom("refunds").select("id").where("order_id", "=", id).execute();
		expect(refunds).toHaveLength(1);
		expect((await trailOf(number)).some(({ verb, outcome }) => verb === "not-found" && outcome === "done")).toBe(true);
	});

	test("does nothing for a person who has left meanwhile, and says so in the trail", async () => {
		const { id, number } = await paidOrder();
		const gone = await toActor(await createOperator(shop, "Gus", ["serve", "refund"]));
		const form = giveUp(id);
		await performAct(shop.shop, gone, form);
		// asked for just as the access ended, it was not undone with it
		expect(await endOperator(shop.shop, gone.id, async () => {})).toEqual({ ok: true });
		await runScheduledAct(shop.shop, form.key);
		expect((await shop.orderRow(id)).status).toBe("processing");
		expect((await trailOf(number)).at(-1)).toMatchObject({
			...{ who: "Gus", outcome: "refused", change: { after: { refusal: expect.stringMatching(/^Il manquait le rôle/) } } },
		});
		expect(await findRow(form.key)).toMatchObject({ ok: false, fields: null });
	});

	test("waits until another form about its order is stored, and then sees it", async () => {
		const { id } = await paidOrder();
		const { act, key, fields } = giveUp(id);
		let asked: ReturnType<typeof performAct> | undefined;
		await shop.shop.db.transaction().execute(async (trx) => {
			await lockOrder(trx, id);
			await insertAct(trx, {
				...{ key, act, order_id: id, fields, operator_id: bob.id, operator_name: bob.name, origin: "test" },
				...{ requested_at: new Date(), due_at: new Date(Date.now() + 30_000), needs_approval: false },
			});
			asked = performAct(shop.shop, ada, giveUp(id));
			const blocked = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
			await vi.waitFor(async () => expect((await blocked.execute(shop.shop.db)).rows).not.toEqual([]), scaledTimeout(10_000));
		});
		expect(await asked).toMatchObject({ state: "refused", text: expect.stringContaining("demandé par Bob") });
		await undo(shop.shop, bob, key);
	});

	test("is alone on its order: two at once are one, and the other says what waits; notes go on", async () => {
		const { id } = await paidOrder();
		const other = (await knownCompanies(shop.connection)).find(({ siren }) => siren !== "552032534");
		const forms = [
			giveUp(id),
			{ ...giveUp(id), act: "change-company", fields: { siren: other?.siren ?? "", agreement: "Par téléphone" } },
		] as const;
		const outcomes = await Promise.all(forms.map((form) => performAct(shop.shop, ada, form)));
		const waiting = outcomes.find(({ state }) => state === "scheduled");
		const refused = outcomes.find(({ state }) => state === "refused");
		expect(refused?.text).toMatch(/^«\s.+\s», demandé par Ada, n’est pas encore fait\. Annulez-le/);
		expect(await performAct(shop.shop, bob, note(id))).toMatchObject({ state: "done" });
		expect(await performAct(shop.shop, bob, { ...note(id), act: "discard-draft", fields: { draft: crypto.randomUUID() } })).toMatchObject({
			...{ state: "refused", text: expect.stringContaining("demandé par Ada") },
		});
		const sent = forms.find(({ key }) => key === waiting?.key);
		expect(await performAct(shop.shop, ada, sent ?? forms[0])).toEqual(waiting);
		await undo(shop.shop, ada, waiting?.key ?? "");
		await free(id);
		expect(await performAct(shop.shop, bob, giveUp(id))).toMatchObject({ state: "scheduled" });
	});

	test("lets others through once its run has crashed, and while a second person has not approved it", async () => {
		const [crashed, held] = [await paidOrder(), await paidOrder()];
		const begun = giveUp(crashed.id);
		await performAct(shop.shop, ada, begun);
		const startedAt = (minutes: number) =>
			shop.shop.db
				.updateTable("desk_acts")
				.set({ started_at: new Date(Date.now() - minutes * 60_000) })
				.where("key", "=", begun.key)
				.execute();
		await startedAt(9);
		await free(crashed.id);
		expect(await performAct(shop.shop, bob, giveUp(crashed.id))).toMatchObject({ state: "refused" });
		await startedAt(11);
		expect(await performAct(shop.shop, bob, giveUp(crashed.id))).toMatchObject({ state: "scheduled" });
		const asked = giveUp(held.id);
		await performAct(shop.shop, ada, asked);
		await free(held.id);
		await shop.shop.db.updateTable("desk_acts").set({ needs_approval: true }).where("key", "=", asked.key).execute();
		expect(await performAct(shop.shop, bob, giveUp(held.id))).toMatchObject({ state: "scheduled" });
	});

	test("begins sooner when thirty seconds would break the promise", async () => {
		const wait = async (left: number) => {
			const { id } = await paidOrder();
			await shop.shop.db
				.updateTable("orders")
				.set({ promised_at: new Date(Date.now() + left * 1000) })
				.where("id", "=", id)
				.execute();
			const outcome = await performAct(shop.shop, ada, giveUp(id));
			if (outcome.state !== "scheduled") throw new Error(outcome.text);
			await undo(shop.shop, ada, outcome.key);
			return Math.round((Date.parse(outcome.dueAt) - Date.now()) / 1000);
		};
		expect(await wait(3600)).toBeGreaterThan(20);
		expect(await wait(55)).toBeLessThanOrEqual(10);
		expect(await wait(20)).toBeLessThanOrEqual(0);
		expect(await wait(-600)).toBeGreaterThan(20);
	});
});

describe("an act that a second person approves", () => {
	const askForApproval = async (orderId: string) => {
		const form = giveUp(orderId);
		await performAct(shop.shop, ada, form);
		await shop.shop.db.updateTable("desk_acts").set({ needs_approval: true, due_at: null }).where("key", "=", form.key).execute();
		return form.key;
	};

	test("does not run before, and never by the approval of who asked", async () => {
		const { id } = await paidOrder();
		const key = await askForApproval(id);
		await runScheduledAct(shop.shop, key);
		expect((await shop.orderRow(id)).status).toBe("processing");
		expect(await approve(shop.shop, ada, key)).toMatchObject({ ok: false, text: expect.stringContaining("Une autre personne") });
		expect(await approve(shop.shop, { ...bob, roles: new Set(["privacy"]) }, key)).toMatchObject({ ok: false });
		expect(await approve(shop.shop, bob, key)).toMatchObject({ ok: true });
		await runScheduledAct(shop.shop, key);
		await shop.untilOrderIs("failed", id);
		expect(await approve(shop.shop, bob, key)).toMatchObject({ ok: false });
	});

	test("is neither asked nor approved by who was invited at the desk less than a day ago", async () => {
		const { id, number } = await paidOrder();
		const eve = await toActor(await createOperator(shop, "Eve", ["serve", "refund"]));
		const invited = (used_at: Date, by: string | null) =>
			shop.shop.db
				.updateTable("operators.invitation")
				.set({ used_at, invited_by_id: by })
				.where("email", "=", "eve@bureau.example")
				.execute();
		await invited(new Date(), ada.id);
		const [byAda, byEve] = [await askForApproval(id), giveUp(id)];
		await free(id);
		await performAct(shop.shop, eve, byEve);
		await shop.shop.db.updateTable("desk_acts").set({ needs_approval: true, due_at: null }).where("key", "=", byEve.key).execute();
		for (const [who, key] of [[eve, byAda] as const, [bob, byEve.key] as const])
			expect(await approve(shop.shop, who, key)).toMatchObject({ ok: false, text: expect.stringContaining("moins de 24") });
		expect((await trailOf(number)).at(-1)).toMatchObject({ who: "Bob", outcome: "refused" });
		await invited(new Date(), null);
		expect(await approve(shop.shop, eve, byAda)).toMatchObject({ ok: true });
		await invited(new Date(Date.now() - 25 * 3_600_000), ada.id);
		expect(await approve(shop.shop, bob, byEve.key)).toMatchObject({ ok: true });
	});

	test("is neither asked nor approved by who was given a role at the desk less than a day ago", async () => {
		const { id } = await paidOrder();
		const mallory = await toActor(await createOperator(shop, "Mallory", ["settings", "serve"]));
		const tick = (roles: Role[]) =>
			performAct(shop.shop, mallory, {
				act: "change-roles",
				key: crypto.randomUUID(),
				orderId: null,
				fields: { person: mallory.id, ...Object.fromEntries(roles.map((role) => [`role-${role}`, "on"])) },
			});
		const setGranted = (granted_at: Date | null) =>
			shop.shop.db.updateTable("operators.member").set({ granted_at }).where("user_id", "=", mallory.id).execute();
		const findGranted = () =>
			shop.shop.db.selectFrom("operators.member").select("granted_at").where("user_id", "=", mallory.id).executeTakeFirst();
		const withRoles = (...roles: Role[]) => ({ ...mallory, roles: new Set(roles) });
		const key = await askForApproval(id);
		// taking a role away, or giving the same ones again, gives nothing new
		await tick(["settings"]);
		await tick(["settings"]);
		expect(await findGranted()).toEqual({ granted_at: null });
		expect(await tick(["settings", "serve", "refund"])).toMatchObject({ state: "done" });
		const manager = withRoles("settings", "serve", "refund");
		expect(await approve(shop.shop, manager, key)).toMatchObject({ ok: false, text: expect.stringContaining("moins de 24") });
		await free(id);
		await shop.shop.db.deleteFrom("desk_acts").where("key", "=", key).execute();
		const own = giveUp(id);
		await performAct(shop.shop, manager, own);
		await shop.shop.db.updateTable("desk_acts").set({ needs_approval: true, due_at: null }).where("key", "=", own.key).execute();
		expect(await approve(shop.shop, bob, own.key)).toMatchObject({ ok: false, text: expect.stringContaining("moins de 24") });
		await setGranted(new Date(Date.now() - 25 * 3_600_000));
		expect(await approve(shop.shop, bob, own.key)).toMatchObject({ ok: true });
	});

	test("is approved, undone or taken out of the bar as its button says", async () => {
		const zoe = await createOperator(shop, "Zoe", ["serve", "refund"]);
		const { id: zoeId } = await toActor(zoe);
		const press = (what: string, key: string) => zoe.post("/bureau/action", { do: what, key });
		const { id } = await paidOrder();
		const key = await askForApproval(id);
		await press("dismiss", key);
		expect(await findRow(key)).toMatchObject({ approved_by: null, undone_at: null });
		await press("approve", key);
		expect(await findRow(key)).toMatchObject({ approved_by: zoeId, undone_at: null });
		const { rows } = await sql`select from jobs.job where name = 'run-desk-act' and data->>'key' = ${key}`.execute(shop.shop.db);
		expect(rows).toHaveLength(1);
		const other = giveUp((await paidOrder()).id);
		await performAct(shop.shop, ada, other);
		await press("undo", other.key);
		expect(await findRow(other.key)).toMatchObject({ undone_at: expect.any(Date) });
	});

	test("cannot be approved once it is withdrawn", async () => {
		const { id } = await paidOrder();
		const key = await askForApproval(id);
		await undo(shop.shop, ada, key);
		expect(await approve(shop.shop, bob, key)).toMatchObject({ ok: false });
	});
});

describe("the bar of every page", () => {
	const operatorId = crypto.randomUUID();
	const now = new Date("2026-11-23T08:00:00Z");
	const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
	const frozen = () => ({ ...shop.shop, now: () => now });
	const insert = (key: string, values: object) =>
		shop.shop.db
			.insertInto("desk_acts")
			.values({
				key,
				act: "deliver",
				operator_id: operatorId,
				operator_name: "Bar",
				origin: "test",
				requested_at: now,
				fields: "{}",
				...values,
			} as never)
			.execute();

	test("has what its operator can still undo, the last due first", async () => {
		const { id, order_number } = await insertOrder(shop.shop.db, { created_at: now });
		const due = (seconds: number, values: object = {}) => ({ order_id: id, due_at: at(seconds), ...values });
		await insert("soon", due(1));
		await insert("later", due(2, { act: "gone" }));
		await insert("now", due(0));
		await insert("ended", due(1, { ended_at: now }));
		await insert("undone", due(1, { undone_at: now }));
		await insert("started", due(1, { started_at: now }));
		await insert("approval", due(1, { needs_approval: true }));
		await insert("other", due(1, { operator_id: crypto.randomUUID() }));
		expect(await listPendingLines(frozen(), operatorId)).toEqual([
			{ key: "later", number: order_number, label: "gone", dueAt: at(2).toISOString() },
			{ key: "soon", number: order_number, label: "Livrer l’extrait", dueAt: at(1).toISOString() },
		]);
	});

	test("has what was refused at its time in the last quarter of an hour, until its operator has seen it", async () => {
		const { id, order_number } = await insertOrder(shop.shop.db, { created_at: now });
		const refused = (seconds: number, values: object = {}) => ({
			...{ order_id: id, due_at: now, ended_at: at(seconds), ok: false, sentence: "Non.", ...values },
		});
		await insert("first", refused(-900));
		await insert("last", refused(-1, { sentence: null, act: "gone" }));
		await insert("old", refused(-901));
		await insert("done", refused(-1, { ok: true }));
		await insert("at once", refused(-1, { due_at: null }));
		await insert("seen", refused(-1, { seen_at: now }));
		await insert("other's", refused(-1, { operator_id: crypto.randomUUID() }));
		const list = () => listRefusedLines(frozen(), { id: operatorId, roles: ["refund"] });
		const path = `/bureau/argent/${order_number}`;
		expect(await list()).toEqual([
			{ key: "last", number: order_number, path, label: "gone", sentence: "" },
			{ key: "first", number: order_number, path, label: "Livrer l’extrait", sentence: "Non." },
		]);
		expect(await listRefusedLines(frozen(), { id: operatorId, roles: ["serve"] })).toMatchObject([
			{ path: `/bureau/commandes/${order_number}` },
			{},
		]);
		await dismiss(shop.shop, { id: crypto.randomUUID() }, "first");
		expect(await list()).toHaveLength(2);
		expect(await dismiss(shop.shop, { id: operatorId }, "first")).toEqual({ ok: true, text: "C’est noté." });
		expect((await list()).map(({ key }) => key)).toEqual(["last"]);
	});
});

test("the same form again says how far its act is: running, waiting for approval, or not its own", async () => {
	const { id } = await paidOrder();
	const form = note(id);
	await performAct(shop.shop, ada, form);
	const set = (values: object) =>
		shop.shop.db
			.updateTable("desk_acts")
			.set({ ended_at: null, ok: null, sentence: null, ...values } as never)
			.where("key", "=", form.key)
			.execute();
	const again = (seconds: number) => performAct({ ...shop.shop, now: () => new Date(begun.getTime() + seconds * 1000) }, ada, form);
	const begun = new Date();
	await set({ started_at: begun, requested_at: new Date(0) });
	expect(await again(59.999)).toMatchObject({ state: "running", text: "C’est en cours." });
	await set({ started_at: null, requested_at: begun });
	expect(await again(59.999)).toMatchObject({ state: "running" });
	await set({ needs_approval: true });
	expect(await again(61)).toMatchObject({ state: "waiting for approval", text: "Une deuxième personne doit approuver." });
	await set({ needs_approval: true, approved_by: bob.id, due_at: begun });
	expect(await again(61)).toMatchObject({
		state: "scheduled",
		dueAt: begun.toISOString(),
		text: "«\u00a0Ajouter une note\u00a0» est demandé.",
	});
	await set({ needs_approval: false, due_at: null, undone_at: begun });
	expect(await again(61)).toMatchObject({ state: "undone", text: "Annulé\u00a0: rien n’a été fait." });
	await set({ undone_at: null, fields: "{}" });
	// what was asked for first cannot be read any more
	expect(await again(60)).toMatchObject({ state: "refused", text: "Écrivez la note." });
	expect(await findRow(form.key)).toMatchObject({ ok: false, sentence: "Écrivez la note." });
	const claim = { act: "claim", key: form.key, orderId: id, fields: {} };
	expect(await performAct(shop.shop, ada, claim)).toMatchObject({
		...{ state: "refused", text: "Ce formulaire n’est plus valable\u00a0: rechargez la page." },
	});
});

test("an act whose order is gone, or whose key is unknown, is neither undone, approved nor run", async () => {
	const gone = { ok: false, text: "Cette action n’existe pas." };
	expect(await undo(shop.shop, ada, crypto.randomUUID())).toEqual(gone);
	expect(await approve(shop.shop, ada, crypto.randomUUID())).toEqual({ ok: false, text: "Cette demande n’existe pas." });
	const { id } = await paidOrder();
	const form = giveUp(id);
	await performAct(shop.shop, ada, form);
	expect(await undo(shop.shop, { ...bob, roles: new Set(["privacy"]) }, form.key)).toEqual(gone);
	await shop.shop.db.updateTable("desk_acts").set({ order_id: crypto.randomUUID() }).where("key", "=", form.key).execute();
	await runScheduledAct(shop.shop, form.key);
	expect(await findRow(form.key)).toMatchObject({ ok: false, sentence: "Cette commande n’existe pas." });
	expect((await shop.orderRow(id)).status).toBe("processing");
});
