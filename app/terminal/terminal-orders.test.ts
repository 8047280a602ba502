import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDesk, type Placed, type TestDesk } from "../../test/terminal.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { claimOrder } from "../fulfilment/claims/claim-order.server.ts";
import { askForRefund } from "../tracking/ask-for-refund.server.ts";

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("manual");
});
afterAll(() => desk?.close());

const listRefundRows = (placed: Placed) =>
	desk.shop.db.selectFrom("refunds").selectAll().where("order_id", "=", placed.id).orderBy("requested_at").execute();
const untilRefunded = (placed: Placed, cents: number) =>
	vi.waitFor(async () => expect((await desk.orderRow(placed.id)).refunded_cents).toBe(cents), {
		timeout: scaledTimeout(20_000),
		interval: 25,
	});

describe("a wrong call is refused with a sentence", () => {
	test("no command, an unknown command, a missing argument, an unknown option, an unknown order", async () => {
		expect(await desk.orders()).toMatchObject({ ok: false, text: expect.stringContaining("Usage : npm run orders -- <verbe>") });
		for (const verb of ["list", "show", "upload", "post", "not-found", "fail", "refund", "refuse-refund", "resend", "bounce"])
			expect((await desk.orders()).text).toContain(`  ${verb}`);
		expect(await desk.orders("toString")).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas un verbe") });
		expect(await desk.orders("show")).toEqual({ ok: false, text: "Usage : npm run orders -- show KB-…" });
		expect((await desk.orders("list", "--soon")).text).toContain("Usage : npm run orders -- list [--status");
		expect(await desk.orders("show", "KB-2222-2222")).toEqual({ ok: false, text: "La commande KB-2222-2222 n’existe pas." });
		expect(await desk.orders("list", "--status", "payée")).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas un état") });
	});
});

test("an order that somebody has at the desk is listed with their name, and served by them only", async () => {
	const placed = await desk.paidOrder();
	await claimOrder(desk.shop, { id: "ada", name: "Ada" }, placed.id);
	expect((await desk.orders("list")).text.split("\n").find((line) => line.includes(placed.number))).toContain("prise par Ada");
	for (const command of [
		["not-found", placed.number],
		["fail", placed.number],
		["post", placed.number, "1A23456789012"],
	])
		expect(await desk.orders(...command)).toMatchObject({
			ok: false,
			text: expect.stringMatching(/^Ada s’occupe de cette commande jusqu’à/),
		});
	expect(await desk.orders("show", placed.number)).toMatchObject({ ok: true });
	expect(await desk.orders("post", placed.number, "1A23456789012", "--as", "Ada")).toMatchObject({
		ok: false,
		text: "Cette commande n’est pas à envoyer par courrier.",
	});
});

describe("an order by e-mail", () => {
	test("is listed with its time left, receives its extract and is delivered; a repeated upload is no fault", async () => {
		const placed = await desk.paidOrder();
		const listed = (await desk.orders("list")).text.split("\n").find((line) => line.includes(placed.number));
		expect(listed).toMatch(/^2 h 00 +KB-\S+ +KBIS Express +DANONE \(552032534\) +En traitement +20\/11\/2026 13:00$/);

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
		expect(await desk.orders("upload", placed.number, old)).toEqual({ ok: false, text: "Cette commande est déjà terminée." });
		expect((await desk.orders("list")).text).not.toContain(placed.number);
		expect((await desk.orders("list", "--status", "completed")).text).toContain(placed.number);
	});

	test("is shown by its number or its UUID, with all its data", async () => {
		const placed = await desk.deliveredOrder({ deliveryEmail: "grace@example.fr" });
		for (const name of [placed.number.toLowerCase(), placed.id]) {
			const { ok, text } = await desk.orders("show", name);
			expect(ok).toBe(true);
			for (const shown of [
				...[placed.number, placed.id, "Terminé", "KBIS Express, 59,00 €", "DANONE (SIREN 552032534)", "Ada Lovelace"],
				...["ada@example.fr", "grace@example.fr", "Paiement reçu", "règle la commande", "F2026-0", "document-ready", "Extrait  "],
				...["Extrait déposé le", placed.sessionId],
			])
				expect(text).toContain(shown);
			const { sha256 } = await desk.shop.db
				.selectFrom("documents")
				.select("sha256")
				.where("order_id", "=", placed.id)
				.where("doc_type", "=", "kbis")
				.executeTakeFirstOrThrow();
			expect(text).toContain(sha256);
		}
	});

	test("fails and is refunded once when the registry has no extract", async () => {
		const placed = await desk.paidOrder();
		expect(await desk.orders("not-found", placed.number)).toMatchObject({ ok: true });
		await desk.untilOrderIs("failed", placed.id);
		await untilRefunded(placed, 5900);
		expect(await desk.orders("not-found", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("déjà") });
		expect(await listRefundRows(placed)).toHaveLength(1);
	});

	test("is refunded in full, once, when the operator stops it", async () => {
		const placed = await desk.paidOrder();
		expect(await desk.orders("fail", placed.number)).toMatchObject({ ok: true });
		expect(await desk.orders("fail", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("déjà") });
		await untilRefunded(placed, 5900);
		expect(await desk.orders("fail", (await desk.placeOrder()).number)).toEqual({ ok: false, text: "Cette commande n’est pas payée." });
	});
});

test("an order by post is completed by its tracking number, also when it contains blanks", async () => {
	const placed = await desk.paidOrder("postal");
	expect(await desk.orders("post", placed.number, "1A", "234", "567", "8901", "2")).toMatchObject({
		ok: false,
		text: expect.stringContaining("Déposez"),
	});
	expect(await desk.orders("upload", placed.number, desk.extractFile())).toMatchObject({ ok: true });
	expect(await desk.orders("post", placed.number, "12")).toMatchObject({ ok: false, text: expect.stringContaining("pas valide") });
	expect(await desk.orders("post", placed.number, "1A", "234", "567", "8901", "2")).toMatchObject({ ok: true });
	await desk.untilOrderIs("completed", placed.id);
	expect((await desk.orders("show", placed.number)).text).toContain("1A23456789012");
});

describe("a delivery is corrected", () => {
	test("by a replacement extract: the customer's link, e-mail and page give it, and the operator sees both", async () => {
		const placed = await desk.deliveredOrder({ deliveryEmail: "grace@example.fr" });
		const old = await desk.getExtract(placed);
		const link = (await desk.track("ada@example.fr", placed)).getUrl("kbis");
		const file = desk.extractFile();
		for (const reason of [[], ["--reason", " "], ["--reason", "x".repeat(501)]])
			expect(await desk.orders("replace-extract", placed.number, file, ...reason)).toMatchObject({
				ok: false,
				text: expect.stringContaining("Dites pourquoi"),
			});
		const because = ["--reason", "page manquante"];
		expect(await desk.orders("replace-extract", placed.number, join(desk.folder, "none.pdf"), ...because)).toMatchObject({
			ok: false,
			text: expect.stringContaining("ne se lit pas"),
		});
		expect(await desk.orders("replace-extract", placed.number, file, ...because)).toMatchObject({
			ok: true,
			text: expect.stringContaining("L’extrait est remplacé"),
		});
		const mails = [...(await desk.getMails(placed, "extract-replaced")), ...(await desk.getMails(placed, "extract-replaced-delivery"))];
		expect(mails.map(({ to }) => to)).toEqual(["ada@example.fr", "grace@example.fr"]);
		const newBytes = readFileSync(file);
		const given = [link, (await desk.track("ada@example.fr", placed)).getUrl("kbis")];
		for (const { text } of mails) given.push(/\/documents\/\S+/.exec(text)?.[0] ?? "");
		for (const url of given) expect(Buffer.from(await (await desk.ask(url)).arrayBuffer()).equals(newBytes)).toBe(true);
		const shown = (await desk.orders("show", placed.number)).text;
		for (const said of ["Extrait remplacé par un nouveau", "remplacé le 20/11/2026", "page manquante", old.sha256])
			expect(shown).toContain(said);
		expect(await desk.orders("replace-extract", placed.number, file, ...because)).toMatchObject({
			ok: false,
			text: expect.stringContaining("rien n’est changé"),
		});
		expect((await desk.orders("log")).text).toContain("orders replace-extract");
	});

	test("by another tracking number, and by a new posting", async () => {
		const placed = await desk.paidOrder("postal");
		await desk.orders("upload", placed.number, desk.extractFile());
		await desk.orders("post", placed.number, "1A23456789012");
		await desk.untilOrderIs("completed", placed.id);
		const corrected = ["correct-tracking", placed.number, "1A", "234", "567", "8901", "3"];
		expect(await desk.orders(...corrected)).toMatchObject({ ok: false, text: expect.stringContaining("--reason") });
		expect(await desk.orders(...corrected, "--reason", "faute de frappe")).toEqual({
			ok: true,
			text: "Le numéro de suivi est corrigé et le client est prévenu.",
		});
		const events = await desk.shop.db.selectFrom("order_events").selectAll().where("order_id", "=", placed.id).execute();
		expect(events.find(({ event_type }) => event_type === "tracking_corrected")?.payload).toMatchObject({ because: "faute de frappe" });
		expect((await desk.getMails(placed, "tracking-corrected")).map(({ text }) => text.includes("1A23456789013"))).toEqual([true]);
		expect(await desk.orders("replace-extract", placed.number, desk.extractFile(), "--reason", "erreur de société")).toMatchObject({
			ok: true,
			text: expect.stringContaining("Postez le nouveau"),
		});
		expect((await desk.orders("show", placed.number)).text).toContain("À poster de nouveau");
		expect(await desk.orders("post", placed.number, "1A99999999999")).toMatchObject({ ok: true });
		expect((await desk.getMails(placed, "extract-replaced")).map(({ text }) => text.includes("1A99999999999"))).toEqual([true]);
		const shown = (await desk.orders("show", placed.number)).text;
		expect(shown).not.toContain("À poster de nouveau");
		for (const number of ["1A23456789012", "1A23456789013", "1A99999999999"]) expect(shown).toContain(number);
	});
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

describe("money", () => {
	test.each(["0", "-5", "1,234", "douze", "1 000"])("an amount of « %s » is refused", async (amount) => {
		const placed = await desk.placeOrder();
		expect(
			await desk.orders("refund", "--reason", "late", placed.number, ...(amount.startsWith("-") ? ["--", amount] : [amount])),
		).toMatchObject({
			ok: false,
			text: expect.stringContaining("ne se lit pas"),
		});
	});

	test("a partial refund is made once despite repeated commands, again with --again, and then for the rest", async () => {
		const placed = await desk.deliveredOrder();
		expect(await desk.orders("refund", "--reason", "late", placed.number, "12,50 €")).toMatchObject({
			ok: true,
			text: expect.stringContaining("12,50 €"),
		});
		expect(await desk.orders("refund", "--reason", "late", placed.number, "12.5")).toMatchObject({
			ok: true,
			text: expect.stringContaining("déjà demandé"),
		});
		await untilRefunded(placed, 1250);
		expect(await desk.orders("refund", "--reason", "late", placed.number, "12,50", "--again")).toMatchObject({ ok: true });
		expect(await desk.orders("refund", "--reason", "late", placed.number, "40")).toEqual({
			ok: false,
			text: "C’est trop : il reste 34,00 € à rembourser au plus.",
		});
		expect(await desk.orders("refund", "--reason", "late", placed.number)).toMatchObject({
			ok: true,
			text: expect.stringContaining("34,00 €"),
		});
		await untilRefunded(placed, 5900);
		expect(await desk.orders("refund", "--reason", "late", placed.number)).toMatchObject({
			ok: true,
			text: expect.stringContaining("déjà rendu"),
		});
		expect(await listRefundRows(placed)).toHaveLength(3);
		expect(await desk.orders("refund", "--reason", "late", (await desk.placeOrder()).number)).toMatchObject({
			ok: false,
			text: expect.stringContaining("Rien n’a été payé"),
		});
	});

	test("a mismatched payment is listed as on hold, and refunded", async () => {
		const placed = await desk.placeOrder();
		await desk.payInSilence(placed.sessionId, { amount_total: 4200 });
		expect(await desk.orders("settle", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("En attente") });
		expect((await desk.orders("list", "--set-aside")).text).toContain(placed.number);
		expect(await desk.orders("refund", "--reason", "late", placed.number)).toMatchObject({
			ok: true,
			text: expect.stringContaining("42,00 €"),
		});
		await vi.waitFor(async () => expect((await desk.orders("list", "--set-aside")).text).not.toContain(placed.number), {
			timeout: scaledTimeout(20_000),
		});
		expect(await listRefundRows(placed)).toMatchObject([{ status: "succeeded", amount_cents: 4200, reason: "operator" }]);
	});

	test("a refund request is refused with an answer, or granted by a refund", async () => {
		const placed = await desk.deliveredOrder();
		expect(await desk.orders("refuse-refund", placed.number, "Non.")).toMatchObject({
			ok: false,
			text: expect.stringContaining("pas de demande"),
		});
		await askForRefund(desk.shop, placed.id, "purchase", "Le capital est faux.");
		expect((await desk.orders("list", "--refund-requests")).text).toContain(placed.number);
		expect(await desk.orders("refuse-refund", placed.number, "Le capital est celui du greffe.")).toMatchObject({ ok: true });
		expect(await desk.orders("refuse-refund", placed.number, "Le capital est celui du greffe.")).toMatchObject({ ok: true });
		const [mail] = await desk.getMails(placed, "refund-request-refused");
		expect(mail?.text).toContain("Le capital est celui du greffe.");
		expect((await desk.orders("list", "--refund-requests")).text).not.toContain(placed.number);
		await askForRefund(desk.shop, placed.id, "purchase", "Je ne suis pas d’accord.");
		await desk.orders("refund", "--reason", "late", placed.number);
		expect((await listRefundRows(placed)).map(({ reason }) => reason)).toEqual(["guarantee"]);
		expect((await desk.orders("show", placed.number)).text).toMatch(/Je ne suis pas d’accord\.\n.*accordée/);
	});

	test("a payment whose event was lost is found by the command settle", async () => {
		const placed = await desk.placeOrder();
		await desk.payInSilence(placed.sessionId);
		expect(await desk.orders("settle", placed.number)).toMatchObject({
			ok: true,
			text: expect.stringMatching(/État : (Payé|En traitement)/),
		});
		await desk.untilOrderIs("processing", placed.id);
	});
});
