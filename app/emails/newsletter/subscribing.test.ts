import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { askForNewsletter } from "./ask-for-newsletter.server.ts";
import { unsubscribeUrl } from "./links.server.ts";
import { sendConfirmation } from "./send-confirmation.server.ts";

let at = new Date("2026-11-23T09:00:00Z");
const days = (count: number) => {
	at = new Date(at.getTime() + count * 86_400_000);
};

let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let opened: TestShop;
beforeAll(async () => {
	smtp = await startFakeSmtp();
	opened = await createTestShop({ variables: { SMTP_URL: smtp.url, LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" }, now: () => at });
});
afterAll(async () => {
	await opened?.close();
	await smtp.close();
});

let visitors = 0;
/** Sends the form, each time from another place. */
const ask = (email: string, fields: Record<string, string> = {}, from = `10.0.0.${++visitors}`) =>
	opened.postForm("/lettre-information", { email, ...fields }, { "x-forwarded-for": from });
const listSubscriptions = (email: string) =>
	opened.shop.db.selectFrom("newsletter_subscriptions").selectAll().where("email", "=", email).orderBy("requested_at").execute();
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

/** The links to confirm that an address was sent, oldest first, once there are `count` and no job is left. */
async function linksTo(email: string, count = 1): Promise<string[]> {
	await waitForConfirmations(email);
	const links = mailsTo(email).map(({ content }) => /http\S+\/lettre-information\/confirmer\/\S+/.exec(content.text ?? "")?.[0] ?? "none");
	expect(links).toHaveLength(count);
	return links;
}

/** Waits until no job of an address is left. While one is unfinished, the queue ignores the next of the same subscription. */
const waitForConfirmations = (email: string) =>
	vi.waitFor(
		async () => {
			const { rows } = await sql`select from jobs.job join newsletter_subscriptions as subscription
				on data->>'subscriptionId' = subscription.id::text where state < 'completed' and email = ${email}`.execute(opened.shop.db);
			if (rows.length > 0) throw new Error("still under way");
			const subscriptions = await listSubscriptions(email);
			if (subscriptions.some((row) => row.confirmation_sent_at === null || row.confirmation_sent_at < row.requested_at))
				throw new Error("still under way");
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);

async function subscribe(email: string) {
	await ask(email);
	const [link = ""] = (await linksTo(email)).slice(-1);
	expect((await opened.postForm(link, {})).status).toBe(200);
	const [row] = (await listSubscriptions(email)).slice(-1);
	return { id: row?.id ?? "", link, end: unsubscribeUrl(opened.shop, row?.id ?? "") };
}

describe("requesting", () => {
	test("a new address is stored with the text version, and gets a confirmation e-mail", async () => {
		const answer = await ask("ada@example.fr");
		expect([answer.status, answer.headers.get("location")]).toEqual([303, "/lettre-information?demande=1"]);
		expect(await (await opened.ask("/lettre-information?demande=1")).text()).toContain("Consultez votre messagerie");
		await linksTo("ada@example.fr");
		expect(await listSubscriptions("ada@example.fr")).toMatchObject([
			{
				source: "form",
				text_version: textVersions.newsletter.date,
				requested_at: at,
				confirmation_sent_at: at,
				confirmed_at: null,
				unsubscribed_at: null,
			},
		]);
		const [mail = expect.fail("nothing came")] = mailsTo("ada@example.fr");
		expect(mail.content.subject).toContain("Confirmez votre inscription");
		// it is no newsletter yet
		expect(mail.content.headers.some(({ key }) => key.startsWith("list-unsubscribe"))).toBe(false);
		const token = /confirmer\/([\w-]+)\./.exec(mail.content.text ?? "")?.[1] ?? "";
		expect(Buffer.from(token, "base64url").toString()).toMatch(/^[0-9a-f-]{36}\.\d+$/);
	});

	test("a repeated request gets the same result and no second e-mail on the same day, in any case of letters", async () => {
		await ask("grace@example.fr");
		await linksTo("grace@example.fr");
		days(0.9);
		for (const again of ["grace@example.fr", "Grace@Example.fr"]) {
			const answer = await ask(again);
			expect([answer.status, answer.headers.get("location")]).toEqual([303, "/lettre-information?demande=1"]);
		}
		await linksTo("grace@example.fr");
		expect(await listSubscriptions("Grace@Example.fr")).toEqual([]);
		days(0.2);
		await ask("grace@example.fr");
		expect(new Set(await linksTo("grace@example.fr", 2)).size).toBe(2);
		expect(await listSubscriptions("grace@example.fr")).toMatchObject([{ requested_at: at, confirmation_sent_at: at }]);
		expect(new Set(mailsTo("grace@example.fr").map(({ content }) => content.messageId)).size).toBe(2);
	});

	test("a confirmed address gets the same result and no e-mail", async () => {
		await subscribe("confirmee@example.fr");
		days(2);
		const answer = await ask("Confirmee@example.fr");
		expect([answer.status, answer.headers.get("location")]).toEqual([303, "/lettre-information?demande=1"]);
		await linksTo("confirmee@example.fr", 1);
		expect(mailsTo("Confirmee@example.fr")).toEqual([]);
	});

	test("twenty parallel requests give one request and one e-mail", async () => {
		const { db } = opened.shop;
		const request = { email: "ensemble@example.fr", source: "form" } as const;
		await Promise.all(Array.from({ length: 20 }, () => db.transaction().execute((trx) => askForNewsletter(opened.shop, trx, request))));
		await linksTo("ensemble@example.fr", 1);
		expect(await listSubscriptions("ensemble@example.fr")).toHaveLength(1);
	});

	test("an invalid address is refused beside its field", async () => {
		for (const [wrong, sentence] of [
			["", "L'adresse email est requise"],
			["ada@", "Format d'email invalide"],
		] as const) {
			const answer = await ask(wrong);
			expect(answer.status).toBe(400);
			expect((await answer.text()).replaceAll("&#x27;", "'")).toContain(sentence);
			expect(await listSubscriptions(wrong)).toEqual([]);
		}
	});

	test("a robot gets the success page, and nothing is stored", async () => {
		expect((await ask("robot@example.fr", { website: "https://spam.example" })).status).toBe(303);
		expect(await listSubscriptions("robot@example.fr")).toEqual([]);
	});

	test("a mailbox is never refused, and gets one e-mail; a client is limited", async () => {
		const burst = await Promise.all(Array.from({ length: 15 }, () => ask("inondee@example.fr")));
		expect(burst.filter(({ status }) => status === 303)).toHaveLength(15);
		expect(new Set(await linksTo("inondee@example.fr", 1)).size).toBe(1);
		for (let i = 0; i < 20; i++) expect((await ask(`foule${i}@example.fr`, {}, "10.1.1.1")).status).toBe(303);
		const answer = await ask("foule20@example.fr", {}, "10.1.1.1");
		expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining("Trop de demandes")]);
		const retryAfter = Number(answer.headers.get("retry-after"));
		expect([retryAfter > 3000, retryAfter <= 3600], "within the hour").toEqual([true, true]);
		expect(await listSubscriptions("foule20@example.fr")).toEqual([]);
		// what a place is refused uses up nobody's mailbox
		for (let i = 0; i < 5; i++) expect((await ask("visee@example.fr", {}, "10.1.1.1")).status).toBe(429);
		expect((await ask("visee@example.fr")).status).toBe(303);
	});

	test("confirmations wait while the mail server is down, and each is sent once when it is back", async () => {
		const waiting = ["patiente@example.fr", "patient@example.fr"];
		await smtp.controls.down();
		for (const email of waiting) expect((await ask(email)).status).toBe(303);
		await smtp.controls.up();
		for (const email of waiting) await linksTo(email, 1);
	});

	test("a job that runs twice sends one confirmation, and none to a confirmed or erased address", async () => {
		await ask("double@example.fr");
		await linksTo("double@example.fr", 1);
		const [row] = await listSubscriptions("double@example.fr");
		for (let i = 0; i < 2; i++) await sendConfirmation(opened.shop, row?.id ?? "");
		await linksTo("double@example.fr", 1);
		// the mail was handed over, which was not noted, and its reader has confirmed
		const unnoted = opened.shop.db.updateTable("newsletter_subscriptions").set({ confirmation_sent_at: null, confirmed_at: at });
		await unnoted.where("id", "=", row?.id ?? "").execute();
		await sendConfirmation(opened.shop, row?.id ?? "");
		await sendConfirmation(opened.shop, "00000000-0000-4000-8000-000000000000");
		expect(mailsTo("double@example.fr")).toHaveLength(1);
	});

	test("an e-mail whose sending was not recorded is sent again with the same Message-ID, and then no more", async () => {
		await ask("coupee@example.fr");
		await linksTo("coupee@example.fr", 1);
		const [row] = await listSubscriptions("coupee@example.fr");
		const unnoted = opened.shop.db.updateTable("newsletter_subscriptions").set({ confirmation_sent_at: null });
		await unnoted.where("id", "=", row?.id ?? "").execute();
		for (let i = 0; i < 2; i++) await sendConfirmation(opened.shop, row?.id ?? "");
		await linksTo("coupee@example.fr", 2);
		expect(new Set(mailsTo("coupee@example.fr").map(({ content }) => content.messageId)).size).toBe(1);
	});

	test("an unknown recipient is not tried again", async () => {
		smtp.controls.reject("partie@example.fr");
		await ask("partie@example.fr");
		await linksTo("partie@example.fr", 0);
	});

	test("the page has no script, and states the frequency and the unsubscription", async () => {
		const page = (await (await opened.ask("/lettre-information")).text()).replaceAll("\u00a0", " ");
		expect(page).not.toMatch(/<script(?! type="application\/ld\+json")/);
		for (const said of ["Une lettre par mois au plus", "sans votre confirmation sous 30 jours", "un lien de désinscription"])
			expect(page).toContain(said);
	});
});

describe("an order", () => {
	test("requests the newsletter once it is paid, if its box was ticked", async () => {
		const ticked = await opened.placeOrder({ customer: { email: "cochee@example.fr", newsletter: true } });
		const unticked = await opened.placeOrder({ customer: { email: "decochee@example.fr" } });
		expect(await listSubscriptions("cochee@example.fr")).toEqual([]);
		await opened.payByCard(ticked.payUrl);
		await opened.payByCard(unticked.payUrl);
		await opened.untilOrderIs("completed", ticked.id);
		await opened.untilOrderIs("completed", unticked.id);
		await waitForConfirmations("cochee@example.fr");
		expect(await listSubscriptions("cochee@example.fr")).toMatchObject([
			{ source: "order", text_version: textVersions.newsletter.date, confirmed_at: null },
		]);
		expect(mailsTo("cochee@example.fr").filter(({ content }) => content.subject?.startsWith("Confirmez"))).toHaveLength(1);
		expect(await listSubscriptions("decochee@example.fr")).toEqual([]);
		expect(mailsTo("decochee@example.fr").filter(({ content }) => content.subject?.startsWith("Confirmez"))).toEqual([]);
		// only newsletters carry the way to end them
		expect(smtp.mails.some(({ content }) => content.headers.some(({ key }) => key.startsWith("list-unsubscribe")))).toBe(false);
	});

	test("of a confirmed subscriber sends no second request", async () => {
		await subscribe("fidele@example.fr");
		const placed = await opened.placeOrder({ customer: { email: "Fidele@example.fr", newsletter: true } });
		await opened.payByCard(placed.payUrl);
		await opened.untilOrderIs("completed", placed.id);
		expect(await listSubscriptions("fidele@example.fr")).toMatchObject([{ source: "form", confirmed_at: expect.any(Date) }]);
		expect(await listSubscriptions("Fidele@example.fr")).toEqual([]);
	});
});

describe("confirming", () => {
	test("a scanner that opens the link changes nothing; the button confirms, and a second click shows the same", async () => {
		await ask("zoe@example.fr");
		const [link = ""] = await linksTo("zoe@example.fr");
		for (const method of ["GET", "HEAD", "GET"]) {
			const answer = await opened.ask(link, { method });
			expect(answer.status).toBe(200);
			expect(answer.headers.get("cache-control")).toBe("no-store");
			expect(answer.headers.get("x-robots-tag")).toBe("noindex");
		}
		const page = await (await opened.ask(link)).text();
		expect(page).toContain("Confirmer mon inscription");
		expect(page).not.toMatch(/<script(?! type="application\/ld\+json")/);
		expect(await listSubscriptions("zoe@example.fr")).toMatchObject([{ confirmed_at: null }]);

		const answer = await opened.postForm(link, {});
		expect(answer.status).toBe(200);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		expect(await answer.text()).toContain("Votre inscription est confirmée");
		const confirmedAt = at;
		expect(await listSubscriptions("zoe@example.fr")).toMatchObject([{ confirmed_at: confirmedAt }]);
		days(40);
		for (const again of [await opened.postForm(link, {}), await opened.ask(link)]) {
			expect(again.status).toBe(200);
			expect(await again.text()).toContain("Votre inscription est confirmée");
		}
		expect(await listSubscriptions("zoe@example.fr")).toMatchObject([{ confirmed_at: confirmedAt }]);
	});

	test("the link expires after thirty days, and its page gives the next step", async () => {
		await ask("lente@example.fr");
		const [link = ""] = await linksTo("lente@example.fr");
		days(29.9);
		expect((await opened.ask(link)).status).toBe(200);
		days(0.2);
		for (const late of [await opened.ask(link), await opened.postForm(link, {})]) {
			expect(late.status).toBe(410);
			expect(await late.text()).toMatch(/Ce lien n’est plus valable[\s\S]*href="\/lettre-information"/);
		}
		expect(await listSubscriptions("lente@example.fr")).toMatchObject([{ confirmed_at: null }]);
	});

	test("a link with a forged or foreign token is refused by both pages", async () => {
		const { id, link, end } = await subscribe("forgee@example.fr");
		const token = (url: string) => url.split("/").at(-1) ?? "";
		const forged = [`${token(link).slice(0, -2)}xx`, "abc", Buffer.from(id).toString("base64url"), opened.shop.signer.sign("resume", id)];
		for (const wrong of [...forged, token(end)]) {
			for (const answer of [
				await opened.ask(`/lettre-information/confirmer/${wrong}`),
				await opened.postForm(`/lettre-information/confirmer/${wrong}`, {}),
			]) {
				expect(answer.status, wrong).toBe(403);
				expect(answer.headers.get("cache-control")).toBe("no-store");
				expect(await answer.text()).toContain("Ce lien n’est pas valable");
			}
		}
		for (const wrong of [...forged, token(link)]) {
			for (const answer of [
				await opened.ask(`/lettre-information/desinscription/${wrong}`),
				await opened.postForm(`/lettre-information/desinscription/${wrong}`, {}),
			]) {
				expect(answer.status, wrong).toBe(403);
				expect(await answer.text()).toContain(opened.shop.environment.shop.email);
			}
		}
		expect(await listSubscriptions("forgee@example.fr")).toMatchObject([{ confirmed_at: expect.any(Date), unsubscribed_at: null }]);
	});
});

describe("unsubscribing", () => {
	test("a scanner that opens the link changes nothing; the button unsubscribes, and a second click shows the same", async () => {
		const { end } = await subscribe("sortante@example.fr");
		const page = await opened.ask(end);
		expect([page.status, page.headers.get("cache-control"), page.headers.get("x-robots-tag")]).toEqual([200, "no-store", "noindex"]);
		expect(await page.text()).toContain("Me désinscrire");
		expect(await listSubscriptions("sortante@example.fr")).toMatchObject([{ unsubscribed_at: null }]);
		const origin = opened.url;
		expect(await (await opened.postForm(end, {}, { origin })).text()).toContain("Votre désinscription est faite");
		const endedAt = at;
		days(1);
		for (const again of [await opened.postForm(end, {}, { origin }), await opened.ask(end)]) {
			expect(again.status).toBe(200);
			expect(await again.text()).toContain("Votre désinscription est faite");
		}
		expect(await listSubscriptions("sortante@example.fr")).toMatchObject([{ confirmed_at: expect.any(Date), unsubscribed_at: endedAt }]);
	});

	test("one click in a mail program unsubscribes, without page, origin, cookie or redirect", async () => {
		const { end } = await subscribe("clic@example.fr");
		const answer = await opened.ask(end, {
			method: "POST",
			body: "List-Unsubscribe=One-Click",
			headers: { "content-type": "application/x-www-form-urlencoded" },
		});
		expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
		expect(await listSubscriptions("clic@example.fr")).toMatchObject([{ unsubscribed_at: at }]);
		const parts = new FormData();
		parts.set("List-Unsubscribe", "One-Click");
		expect((await opened.ask(end, { method: "POST", body: parts })).status).toBe(200);
	});

	test("a form on another site cannot unsubscribe", async () => {
		const { end } = await subscribe("attaquee@example.fr");
		expect((await opened.postForm(end, {}, { origin: "https://evil.example" })).status).toBe(403);
		expect(await listSubscriptions("attaquee@example.fr")).toMatchObject([{ unsubscribed_at: null }]);
	});

	test("unsubscribing is final: the old link confirms nothing, a new request is a new consent, and the first proof stays", async () => {
		const { link, end } = await subscribe("revenante@example.fr");
		const first = at;
		days(10);
		await opened.postForm(end, {});
		const ended = at;
		for (const old of [await opened.postForm(link, {}), await opened.ask(link)]) expect(old.status).toBe(410);
		days(1);
		await ask("Revenante@example.fr");
		const [again = ""] = await linksTo("Revenante@example.fr");
		// not yet confirmed: a click in an old letter says what is true, and leaves the request alone
		expect(await (await opened.postForm(end, {})).text()).toContain("Votre désinscription est faite");
		await opened.postForm(again, {});
		expect(await listSubscriptions("Revenante@example.fr")).toMatchObject([{ confirmed_at: at, unsubscribed_at: null }]);
		expect(await listSubscriptions("revenante@example.fr")).toMatchObject([
			{ requested_at: first, confirmed_at: first, unsubscribed_at: ended },
		]);
		// the link of a letter from before ends what runs now
		expect(await (await opened.ask(end)).text()).toContain("Me désinscrire");
		await opened.postForm(end, {});
		expect(await listSubscriptions("Revenante@example.fr")).toMatchObject([{ unsubscribed_at: at }]);
	});

	test("the link of a deleted subscription shows that it has ended", async () => {
		const nobody = "00000000-0000-0000-0000-000000000000";
		const answer = await opened.postForm(unsubscribeUrl(opened.shop, nobody), {});
		expect(answer.status).toBe(200);
		expect(await answer.text()).toContain("Votre désinscription est faite");
	});
});
