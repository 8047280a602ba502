import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publishNotice, recordReading } from "../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { switchBulletinOn } from "../../../test/watch.ts";
import { watchEndUrl } from "./email-notices.server.ts";

// What the pages of an order and of its extract say of the bulletin, and the link that ends the e-mails.

let shop: TestShop;
let placed: Awaited<ReturnType<TestShop["completeOrder"]>>;
let documentId = "";
const delivery = new Date("2026-11-03T14:00:00Z");
const november25 = new Date("2026-11-25T09:00:00Z");
let at = delivery;
beforeAll(async () => {
	shop = await createTestShop({ now: () => at });
	placed = await shop.completeOrder();
	const documents = shop.shop.db.selectFrom("documents").select("id").where("order_id", "=", placed.id).where("doc_type", "=", "kbis");
	documentId = (await documents.executeTakeFirstOrThrow()).id;
	await switchBulletinOn(shop.shop);
});
beforeEach(async () => {
	at = november25;
	for (const table of ["bulletin_corrections", "bulletin_notices", "bulletin_readings"] as const)
		await shop.shop.db.deleteFrom(table).execute();
});
afterAll(() => shop?.close());

/** Records an import on the morning after the last day that it read. */
const readingOf = (from: string, to: string) =>
	recordReading(shop.shop.db, new Date(Date.parse(`${to}T05:00:00Z`) + 86_400_000), { from, to });

/** Publishes a notice about DANONE. */
const publish = (id: string, publishedOn: string, change: Partial<Parameters<typeof publishNotice>[1]> = {}) =>
	publishNotice(shop.shop.db, { siren: "552032534", id, publishedOn, kind: "capital", ...change });

const mask = (masked: boolean) => shop.shop.db.updateTable("companies").set({ masked }).where("siren", "=", "552032534").execute();

/** What a page says: its text without its tags. */
async function read(path: string, headers: Record<string, string> = {}) {
	const html = await (await shop.ask(path, { headers })).text();
	const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
	const text = main
		.replace(/<!-- -->|<[^>]+>/g, "")
		.replaceAll("\u00a0", " ")
		.replaceAll("&#x27;", "'");
	expect(html).not.toMatch(/rien n’a changé/i);
	return { html: main, text };
}

async function readTracking() {
	const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
	return read(`/suivi/${placed.number}`, { cookie: found.headers.get("set-cookie")?.split(";")[0] ?? "" });
}

const readVerification = () => read(`/verifier/${documentId}`);

describe("tracking and verification say", () => {
	test.each<[string, () => Promise<unknown>, string | null]>([
		["nothing when the bulletin was never read", async () => undefined, null],
		[
			"that nothing was published, when every day was read",
			() => readingOf("2026-11-03", "2026-11-24"),
			"Rien n’a été publié au BODACC depuis X extrait du 3 novembre 2026 (relevé complet jusqu’au 24 novembre 2026).",
		],
		[
			"that the next reading will tell, when the last one is older than the extract",
			async () => {
				at = new Date("2026-11-04T09:00:00Z");
				await readingOf("2026-01-01", "2026-11-03");
			},
			"Le prochain relevé du BODACC dira si une annonce a paru depuis X extrait.",
		],
		[
			"that some may be missing, when the last reading is older than the extract and no other follows",
			() => readingOf("2026-01-01", "2026-11-03"),
			"Notre relevé du BODACC ne couvre pas tous les jours qui ont suivi X extrait du 3 novembre 2026 : une annonce a pu nous échapper.",
		],
		[
			"that some may be missing, when only single notices were read",
			() => recordReading(shop.shop.db, november25, null),
			"Nous n’avons relevé que quelques annonces du BODACC : d’autres ont pu paraître depuis X extrait du 3 novembre 2026.",
		],
		[
			"the same when the first days were not read",
			() => readingOf("2026-11-10", "2026-11-24"),
			"Notre relevé du BODACC ne couvre pas tous les jours qui ont suivi X extrait du 3 novembre 2026 : une annonce a pu nous échapper.",
		],
		[
			"nothing of accounts that were filed, but not that nothing at all was published",
			async () => {
				await readingOf("2026-11-01", "2026-11-24");
				await publish("C202602342014", "2026-11-12", { family: "dpc" });
			},
			"Hors dépôts de comptes, rien n’a été publié au BODACC depuis X extrait du 3 novembre 2026",
		],
	])("%s", async (_, prepare, sentence) => {
		await prepare();
		for (const [page, whose] of [[await readTracking(), "votre"] as const, [await readVerification(), "cet"] as const]) {
			if (sentence) expect(page.text).toContain(sentence.replace("X", whose));
			else expect(page.text).not.toContain("BODACC");
		}
	});

	test("each notice since the extract's day, with its link, and offer another extract", async () => {
		await readingOf("2026-11-01", "2026-11-24");
		await publish("B202602332014", "2026-11-03", { kind: "ancienne annonce" });
		await publish("B202602342014", "2026-11-12");
		const tracking = await readTracking();
		expect(tracking.text).toContain(
			"Une modification a été publiée le 12 novembre 2026 : capital. Votre extrait du 3 novembre 2026 ne la montre peut-être pas.",
		);
		expect(tracking.html).toContain("/commande/552032534?service=express");
		expect(tracking.html).toContain("https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:B202602342014");
		expect(tracking.text).toContain("Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 25 novembre 2026.");
		expect(tracking.text).not.toContain("ancienne annonce");

		const verification = await readVerification();
		expect(verification.text).toContain("Cet extrait du 3 novembre 2026 ne la montre peut-être pas.");
		// nothing of the customer: neither what they ordered, nor whether they get e-mails
		expect(verification.html).toContain('href="/commande/552032534"');
		expect(verification.html).not.toMatch(/service=|express|Nous surveillons/);
	});

	test("which notices were cancelled or corrected, also a cancelled one that is older than the extract", async () => {
		await readingOf("2026-10-01", "2026-11-24");
		await publish("B202602002014", "2026-10-05");
		await publish("B202602342014", "2026-11-12");
		await publish("B202602352014", "2026-11-13", { kind: "dénomination" });
		await publish("B202602402014", "2026-11-20", { target: "B202602342014", cancels: true });
		await publish("B202602402015", "2026-11-20", { target: "B202602352014", kind: "nom commercial" });
		await publish("B202602412014", "2026-11-21", { target: "B202602002014", cancels: true });
		for (const { text } of [await readTracking(), await readVerification()]) {
			expect(text).toContain("L’annonce du 12 novembre 2026 a été annulée le 20 novembre 2026.");
			expect(text).toContain("L’annonce du 13 novembre 2026 a été rectifiée le 20 novembre 2026 : nom commercial.");
			expect(text).toContain("L’annonce du 5 octobre 2026 a été annulée le 21 novembre 2026.");
			expect(text).not.toMatch(/dénomination|a été publiée|Rien n’a/);
		}
	});

	test("the last state after 90 days, and that the watch is over", async () => {
		at = new Date("2027-02-02T09:00:00Z");
		await readingOf("2026-11-01", "2027-02-10");
		const { text } = await readTracking();
		expect(text).toContain("Rien n’a été publié au BODACC entre votre extrait du 3 novembre 2026 et le 1er février 2027.");
		expect(text).toContain("La surveillance de cet extrait s’est terminée le 1er février 2027.");
		await publish("B202702342014", "2027-02-02");
		expect((await readVerification()).text).toContain("Rien n’a été publié au BODACC entre cet extrait");
		await publish("B202702332014", "2027-02-01");
		expect((await readVerification()).text).toContain("Une modification a été publiée le 1er février 2027");
	});

	test("nothing of a masked company", async () => {
		await readingOf("2026-11-01", "2026-11-24");
		await publish("B202602342014", "2026-11-12");
		await mask(true);
		for (const { text } of [await readTracking(), await readVerification()]) expect(text).not.toContain("BODACC");
		await mask(false);
	});
});

test("the confirmation says it too", async () => {
	at = new Date("2026-11-04T09:00:00Z");
	await recordReading(shop.shop.db, at, { from: "2026-11-01", to: "2026-11-04" });
	const { text } = await read(`/confirmation/${placed.sessionId}`);
	expect(text).toContain(
		"Rien n’a été publié au BODACC depuis votre extrait du 3 novembre 2026 (relevé complet jusqu’au 4 novembre 2026).",
	);
});

describe("the link that ends the e-mails", () => {
	const [button, ended, tracking] = ["Ne plus recevoir ces e-mails ?", "Vous ne recevrez plus ces e-mails", "page de suivi"];
	const readEnd = async () => (await read(new URL(watchEndUrl(shop.shop, placed.id)).pathname)).text;
	const setOrder = (values: { disputed_at: Date | null } | { erased_at: Date | null } | { watch_ended_at: Date | null }) =>
		shop.shop.db.updateTable("orders").set(values).where("id", "=", placed.id).execute();
	beforeEach(() => readingOf("2026-11-01", "2026-11-24"));

	test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
		["during a dispute", () => setOrder({ disputed_at: at }), () => setOrder({ disputed_at: null })],
		["while the company is masked", () => mask(true), () => mask(false)],
	])("has its button %s, after which e-mails may come again, and does not send to the tracking page", async (_, pause, resume) => {
		expect(await readEnd()).toContain(tracking);
		await pause();
		const text = await readEnd();
		await resume();
		expect(text).toContain(button);
		expect(text).toContain(
			"Ces e-mails signalent les annonces parues au BODACC sur DANONE jusqu’au 1er février 2027, quand elles peuvent concerner l’extrait du 3 novembre 2026.",
		);
		expect(text).not.toContain(tracking);
	});

	test("has its button until the last day on which a notice is told, a week after the watch", async () => {
		at = new Date("2027-02-08T09:00:00Z");
		expect(await readEnd()).toContain(button);
		at = new Date("2027-02-09T09:00:00Z");
		expect(await readEnd()).toContain(`${ended}La page de suivi de la commande montre encore`);
	});

	test("says that they have ended, and sends to the tracking page only where it still shows notices", async () => {
		await setOrder({ watch_ended_at: at });
		expect(await readEnd()).toContain(`${ended}La page de suivi de la commande montre encore`);
		for (const values of [{ disputed_at: at }, { erased_at: at }]) {
			await setOrder(values);
			const text = await readEnd();
			expect(text).toContain(ended);
			expect(text).not.toContain(tracking);
			await setOrder({ disputed_at: null });
		}
		await setOrder({ erased_at: null });
		await setOrder({ watch_ended_at: null });
	});
});

test("the nightly job sends the e-mail, whose link ends the watch by its button or with one click", async () => {
	await readingOf("2026-11-01", "2026-11-24");
	await publish("B202602342014", "2026-11-12");
	await shop.shop.db.transaction().execute((trx) => shop.shop.jobs.send(trx, "tell-notices", {}));
	const [mail, ...others] = await shop.getMails(placed, "extract-notices");
	expect(others).toEqual([]);
	const text = mail?.text.replaceAll("\u00a0", " ") ?? "";
	expect(text).toContain("Une modification a été publiée le 12 novembre 2026");
	const path = /\/suivi\/surveillance\/[\w.-]+/.exec(text)?.[0] ?? "";

	// opening the link changes nothing
	for (const _ of [1, 2]) {
		const page = await read(path);
		expect(page.text).toContain("Ne plus recevoir ces e-mails ?");
		for (const personal of ["ada@example.fr", "Lovelace", placed.number]) expect(page.html).not.toContain(personal);
	}
	expect((await readTracking()).text).toContain(
		"Nous surveillons le BODACC jusqu’au 1er février 2027, et nous vous prévenons par e-mail si une annonce qui peut concerner votre extrait y paraît.",
	);

	// no cookie and no origin, twice
	for (const _ of [1, 2]) {
		const answer = await shop.postForm(path, { "List-Unsubscribe": "One-Click" });
		expect(answer.status).toBe(200);
		expect(await answer.text()).toContain("Vous ne recevrez plus ces e-mails");
	}
	const { text: tracking } = await readTracking();
	expect(tracking).toContain("À votre demande, nous ne vous envoyons plus d’e-mail sur les annonces qui paraissent.");
	expect(tracking).toContain("Une modification a été publiée le 12 novembre 2026");
	expect((await shop.getEventTypes(placed.id)).filter((type) => type === "watch_ended")).toHaveLength(1);
	// the reader of the document does not learn it
	expect((await readVerification()).text).not.toContain("À votre demande");

	const wrong = await shop.ask(`${path}x`);
	expect(wrong.status).toBe(403);
	expect(await wrong.text()).toContain("Ce lien est incomplet ou incorrect");
	expect((await shop.postForm(`${path}x`, {})).status).toBe(403);
});
