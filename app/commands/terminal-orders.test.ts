import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDesk, type TestDesk } from "../../test/terminal.ts";
import { claimOrder } from "../fulfilment/claims/claim-order.server.ts";

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("manual");
});
afterAll(() => desk?.close());

const findListed = async (number: string) => (await desk.orders("list")).text.split("\n").find((line) => line.includes(number));

test("a wrong call is refused with a sentence: no command, an unknown one, a missing argument, an unknown option or order", async () => {
	expect(await desk.orders()).toMatchObject({ ok: false, text: expect.stringContaining("Usage : npm run orders -- <verbe>") });
	for (const verb of ["toString", "refund"])
		expect(await desk.orders(verb)).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas un verbe") });
	expect(await desk.orders("post")).toEqual({
		ok: false,
		text: "Usage : npm run orders -- post KB-… <numéro de suivi> [--confirm-number]",
	});
	expect(await desk.orders("list", "--soon")).toEqual({ ok: false, text: "Usage : npm run orders -- list" });
	expect(await desk.orders("post", "KB-2222-2222", "1A")).toEqual({ ok: false, text: "La commande KB-2222-2222 n’existe pas." });
});

test("an order that somebody has at the desk is listed with their name, and served by them only", async () => {
	const placed = await desk.paidOrder();
	await claimOrder(desk.shop, { id: "ada", name: "Ada" }, placed.id);
	expect(await findListed(placed.number)).toMatch(/ Ada$/);
	for (const command of [
		["upload", placed.number, desk.extractFile()],
		["post", placed.number, "1A23456789012"],
	])
		expect(await desk.orders(...command)).toMatchObject({
			ok: false,
			text: expect.stringMatching(/^Ada s’occupe de cette commande jusqu’à/),
		});
	expect(await desk.orders("post", placed.number, "ABC", "12345678", "--as", "Ada")).toMatchObject({
		ok: false,
		text: expect.stringContaining("Pour en répondre : --confirm-number."),
	});
	expect(await desk.orders("post", placed.number, "1A23456789012", "--as", "Ada")).toMatchObject({
		ok: false,
		text: "Cette commande n’est pas à envoyer par courrier.",
	});
});

test("an order by e-mail is listed with its time left, receives its extract and is delivered; a repeated upload is no fault", async () => {
	const placed = await desk.paidOrder();
	expect(await findListed(placed.number)).toMatch(/^2 h 00 +KB-\S+ +KBIS Express +DANONE \(552032534\) +extrait +20\/11\/2026 13:00$/);
	expect(await desk.orders("upload", placed.number, join(desk.folder, "none.pdf"))).toMatchObject({
		ok: false,
		text: expect.stringContaining("ne se lit pas"),
	});
	const old = desk.extractFile("à jour au 3 novembre 2026");
	expect(await desk.orders("upload", placed.number, old)).toMatchObject({ ok: false, text: expect.stringContaining("--confirm-date") });
	expect(await desk.orders("upload", placed.number, old, "--confirm-date")).toMatchObject({
		ok: true,
		text: expect.stringContaining("déposé"),
	});
	await desk.untilOrderIs("completed", placed.id);
	expect(await desk.orders("upload", placed.number, old)).toEqual({ ok: false, text: "Cette commande est déjà livrée." });
	expect(await findListed(placed.number)).toBeUndefined();
});

test("an order by post is listed until its tracking number completes it, also when that contains blanks", async () => {
	const placed = await desk.paidOrder("postal");
	const post = () => desk.orders("post", placed.number, "1A", "234", "567", "8901", "2");
	expect(await post()).toEqual({ ok: false, text: "Cette commande n’a pas encore d’extrait." });
	expect(await desk.orders("upload", placed.number, desk.extractFile())).toMatchObject({ ok: true });
	expect(await findListed(placed.number)).toContain("numéro de suivi");
	expect(await desk.orders("post", placed.number, "12")).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas valable") });
	expect(await post()).toMatchObject({ ok: true });
	await desk.untilOrderIs("completed", placed.id);
	expect((await desk.orderRow(placed.id)).tracking_number).toBe("1A23456789012");
	expect(await findListed(placed.number)).toBeUndefined();
});

describe("an extract is uploaded", () => {
	test("from standard input for « - »", async () => {
		const placed = await desk.paidOrder();
		expect(await desk.orders("upload", placed.number, "-")).toMatchObject({ ok: false, text: expect.stringContaining("entrée standard") });
		const piped = readFileSync(desk.extractFile());
		expect(await desk.ordersWith(piped, "upload", placed.number, "-")).toMatchObject({ ok: true });
		await desk.untilOrderIs("completed", placed.id);
	});

	test("with a date in French notation", async () => {
		const undated = () => desk.extractFile("du commerce");
		for (const [date, instant] of [
			["20/11/2026", "2026-11-19T23:00:00Z"],
			["20/11/2026 10:32", "2026-11-20T09:32:00Z"],
			["20/11/2026 à 9 h 05", "2026-11-20T08:05:00Z"],
			["20/11/2026 9h", "2026-11-20T08:00:00Z"],
		] as const) {
			const placed = await desk.paidOrder();
			expect(await desk.orders("upload", placed.number, undated(), "--date", date), date).toMatchObject({ ok: true });
			await desk.untilOrderIs("completed", placed.id);
			expect((await desk.getExtract(placed)).issued_at, date).toEqual(new Date(instant));
		}
	});
});

test("reconciliation shows no difference, then one difference in columns", async () => {
	await desk.shop.db.deleteFrom("reconciliations").execute();
	expect(await desk.orders("reconcile", "bientôt")).toMatchObject({ ok: false, text: expect.stringContaining("nombre de jours") });
	const placed = await desk.placeOrder();
	await desk.shop.db
		.updateTable("sandbox.sessions")
		.set({
			status: "complete",
			payment_status: "paid",
			payment_intent: `pi_test_${placed.id}`,
			paid_at: new Date(desk.now().getTime() - 3_600_000),
		})
		.where("id", "=", placed.sessionId)
		.execute();
	const found = await desk.orders("reconcile");
	expect(found).toMatchObject({ ok: false, text: expect.stringContaining("Différences : 1.") });
	expect(found.text).toMatch(new RegExp(`pi_test_${placed.id} +${placed.number} +inconnu chez nous +— +59,00 €`));
	await desk.untilOrderIs("processing", placed.id);
	desk.moveTo(new Date(desk.now().getTime() + 60_000));
	expect(await desk.orders("reconcile", "7")).toMatchObject({ ok: true, text: expect.stringContaining("Aucune différence.") });
});
