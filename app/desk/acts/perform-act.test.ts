import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { endOperator } from "../../operators/end-operator.server.ts";
import type { Actor, Role } from "../../operators/roles.ts";
import { approve, performAct, runScheduledAct, undo } from "./perform-act.server.ts";

let shop: TestShop;
let ada: Actor & { id: string };
let bob: Actor & { id: string };
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await toActor(await createOperator(shop, "Ada", ["serve", "refund", "settings"]));
	bob = await toActor(await createOperator(shop, "Bob", ["serve", "refund", "settings"]));
});
afterAll(() => shop?.close());

async function toActor({ email }: TestOperator): Promise<Actor & { id: string }> {
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
		expect((await trailOf(number)).filter(({ verb }) => verb.includes("note")).map(({ outcome }) => outcome)).toEqual(["begun", "done"]);
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
			.set({ ended_at: null, ok: null, sentence: null, requested_at: longAgo, started_at: longAgo, fields: JSON.stringify(form.fields) })
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

	test("runs once at its time, and is then too late to undo", async () => {
		const { id, number } = await paidOrder();
		const form = giveUp(id);
		await performAct(shop.shop, ada, form);
		await Promise.all([runScheduledAct(shop.shop, form.key), runScheduledAct(shop.shop, form.key)]);
		await shop.untilOrderIs("failed", id);
		expect(await undo(shop.shop, ada, form.key)).toMatchObject({ ok: false });
		const refunds = await shop.shop.db.selectFrom("refunds").select("id").where("order_id", "=", id).execute();
		expect(refunds).toHaveLength(1);
		expect((await trailOf(number)).some(({ verb, outcome }) => verb.includes("introuvable") && outcome === "done")).toBe(true);
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
		expect((await trailOf(number)).at(-1)).toMatchObject({ who: "Gus", outcome: "refused" });
		expect(await findRow(form.key)).toMatchObject({ ok: false, fields: null });
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

	test("cannot be approved once it is withdrawn", async () => {
		const { id } = await paidOrder();
		const key = await askForApproval(id);
		await undo(shop.shop, ada, key);
		expect(await approve(shop.shop, bob, key)).toMatchObject({ ok: false });
	});
});
