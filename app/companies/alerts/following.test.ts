import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AlertShop, createAlertShop, createRecordedLog, danone, defaultTopics } from "../../../test/company-alerts.ts";
import { waitForLock } from "../../../test/orders.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { sendAskedEmail } from "../../mail/asked-emails.server.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { lockFollower, recordAlertRequest } from "./alerts.store.server.ts";
import { sendAlertConfirmation } from "./send-confirmation.server.ts";

let shop: AlertShop;
beforeAll(async () => {
	shop = await createAlertShop("2026-11-23T09:00:00Z");
});
afterAll(() => shop?.stop());

const plain = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("<!-- -->", "");
const page = async (path: string) => plain(await (await shop.request(path)).text());

/** SIRENs of companies that can be followed. */
async function listSirens(count: number): Promise<string[]> {
	const { db } = shop.shop;
	const query = db.selectFrom("companies").select("siren").where("masked", "=", false).where("legal_category", "like", "5%");
	return (
		await query
			.where("siren", "<>", danone as never)
			.orderBy("siren")
			.limit(count)
			.execute()
	).map(({ siren }) => siren ?? "");
}

/** The jobs of confirmations that wait for their instant; they are deleted, because the queue has its own clock. */
async function takeWaitingJobs() {
	const { rows } = await sql<{ start_after: Date; data: object }>`
		delete from jobs.job where name = 'send-company-alert-confirmation' and state < 'active' returning start_after, data`.execute(
		shop.shop.db,
	);
	return rows;
}
const minutes = (count: number) => new Date(shop.clock.at.getTime() + count * 60_000);

describe("the form", () => {
	test("is reached from the company's page, has no script, and ticks all but the accounts", async () => {
		expect(await page(`/entreprise/${danone}`)).toMatch(
			/<a href="\/entreprise\/552032534\/alerte" rel="nofollow"[^>]*>Suivre cette entreprise</,
		);
		const answer = await shop.request(`/entreprise/${danone}/alerte`);
		const form = plain(await answer.text());
		expect(answer.status).toBe(200);
		expect(form).not.toMatch(/<script(?! type="application\/ld\+json")/);
		expect(form).toContain('name="robots" content="noindex"');
		for (const topic of defaultTopics)
			expect(form).toMatch(new RegExp(`<input type="checkbox"[^>]*checked=""[^>]*value="${topic}"|value="${topic}"[^>]*checked=""`));
		expect(form).not.toMatch(/value="accounts"[^>]*checked|checked=""[^>]*value="accounts"/);
		for (const said of ["Procédures collectives et conciliations", "une fois par semaine", "sans votre confirmation sous 30 jours"])
			expect(form.toLowerCase()).toContain(said.toLowerCase());
	});

	test("is refused for unknown and masked companies and for sole traders", async () => {
		const { db } = shop.shop;
		const masked = (await listSirens(3))[2] ?? "";
		const trader = "800000002";
		await db
			.updateTable("companies")
			.set({ masked: true, name: null })
			.where("siren", "=", masked as never)
			.execute();
		await db
			.insertInto("companies")
			.values({
				id: 2_000_000,
				siren: trader,
				status: "active",
				masked: false,
				name: "ADA LOVELACE",
				name_key: 0,
				legal_category: "1000",
				lexemes: "",
			} as never)
			.execute();
		for (const siren of [masked, trader, "900000001", "abc"]) {
			const answer = await shop.request(`/entreprise/${siren}/alerte`);
			expect([siren, answer.status]).toEqual([siren, 404]);
			expect(plain(await answer.text())).toContain("Pas d’alerte pour cette entreprise");
			expect((await shop.ask("refusee@example.fr", { siren })).status).toBe(404);
		}
		for (const siren of [masked, trader]) expect(await page(`/entreprise/${siren}`)).not.toContain(`/${siren}/alerte`);
		expect(await shop.listAlerts("refusee@example.fr")).toEqual([]);
	});

	test("needs an address and a topic, each with a sentence beside its field, and keeps what was typed", async () => {
		for (const [email, topics, ...sentences] of [
			["", defaultTopics, "L'adresse email est requise"],
			["ada@", defaultTopics, "Format d'email invalide"],
			["ada@example.fr", [], "Choisissez au moins un type d’annonce"],
			["ada@", ["unknown"], "Format d'email invalide", "Choisissez au moins un type d’annonce", "2 champs à corriger"],
		] as const) {
			const answer = await shop.ask(email, { topics, frequency: "weekly" });
			expect(answer.status).toBe(400);
			const html = plain(await answer.text());
			for (const sentence of sentences) expect(html).toContain(sentence);
			expect(html).toMatch(/value="weekly"[^>]*checked|checked=""[^>]*value="weekly"/);
		}
		expect(await shop.listAlerts("ada@example.fr")).toEqual([]);
	});

	test("bytes that are not text, unknown values and no form at all are refused", async () => {
		const path = `/entreprise/${danone}/alerte`;
		const headers = { "content-type": "application/x-www-form-urlencoded" };
		for (const body of ["email=%FF%FE&topic=%00", "email=ada@example.fr%00&topic=changes", "email=a%ED%A0%80@example.fr&topic=changes", ""])
			expect((await shop.request(path, { method: "POST", body, headers })).status, body).toBe(400);
		expect((await shop.request(path, { method: "POST", body: "{}", headers: { "content-type": "application/json" } })).status).toBe(400);
		expect(await shop.shop.db.selectFrom("company_followers").selectAll().execute()).toEqual([]);
	});
});

describe("requesting", () => {
	test("a new address is stored with the text's version, and gets an e-mail that asks for confirmation", async () => {
		const answer = await shop.ask("ada@example.fr", { frequency: "weekly", topics: ["sales", "accounts"] });
		expect([answer.status, answer.headers.get("location")]).toEqual([303, `/entreprise/${danone}/alerte?demande=1`]);
		expect(await page(`/entreprise/${danone}/alerte?demande=1`)).toContain("Consultez votre messagerie");
		await shop.waitForJobs();
		expect(await shop.listAlerts("ada@example.fr")).toMatchObject([
			{
				siren: danone,
				frequency: "weekly",
				topics: ["sales", "accounts"],
				text_version: textVersions.companyAlerts.date,
				requested_at: shop.clock.at,
				confirmation_sent_at: shop.clock.at,
				confirmed_at: null,
			},
		]);
		const [mail = expect.fail("nothing came")] = shop.mailsTo("ada@example.fr");
		expect(mail.content.subject).toContain("Confirmez votre alerte sur DANONE");
		expect(plain(mail.content.text ?? "")).toContain("Une fois par semaine, le lundi : ventes et cessions, dépôts des comptes");
		expect(plain(mail.content.text ?? "")).toContain(`Vous avez demandé à ${shop.shop.environment.shop.name} de vous écrire`);
		// nothing of the address is in the link
		const token = /confirmer\/([\w-]+)\./.exec(mail.content.text ?? "")?.[1] ?? "";
		expect(Buffer.from(token, "base64url").toString()).toMatch(/^[0-9a-f-]{36}\.\d+$/);
	});

	test("a repetition gets the same result and no second e-mail on the same day, in any case; its choices count", async () => {
		await shop.ask("grace@example.fr");
		await shop.waitForJobs();
		shop.days(0.9);
		for (const again of ["grace@example.fr", "Grace@Example.fr"]) expect((await shop.ask(again, { topics: ["sales"] })).status).toBe(303);
		await shop.waitForJobs();
		expect(await shop.listAlerts("grace@example.fr")).toMatchObject([{ topics: ["sales"] }]);
		expect(shop.mailsTo("grace@example.fr")).toHaveLength(1);
		shop.days(0.2);
		await shop.ask("grace@example.fr");
		expect(new Set(await shop.linksTo("grace@example.fr", "confirmer")).size).toBe(2);
		expect(shop.mailsTo("Grace@Example.fr")).toEqual([]);
	});

	test("ten requests at once give one alert and one e-mail", async () => {
		const answers = await Promise.all(Array.from({ length: 10 }, () => shop.ask("ensemble@example.fr")));
		expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
		await shop.waitForJobs();
		expect(await shop.listAlerts("ensemble@example.fr")).toHaveLength(1);
		expect(shop.mailsTo("ensemble@example.fr")).toHaveLength(1);
	});

	test("the answer does not tell whether an address is known, follows the company, or follows as many as it may", async () => {
		await shop.follow("connue@example.fr");
		shop.days(1);
		const { alert } = await shop.follow("pleine@example.fr");
		for (const siren of await listSirens(maxFollowedCompanies - 1))
			await shop.shop.db
				.insertInto("company_alerts")
				.values({ ...alert, id: crypto.randomUUID(), siren: siren as never })
				.execute();
		const [siren = ""] = (await listSirens(maxFollowedCompanies)).slice(-1);
		shop.days(1);
		const describeAnswer = async (answer: Response) => {
			const { "x-request-id": _, date, ...headers } = Object.fromEntries(answer.headers);
			return [answer.status, headers, await answer.text()];
		};
		const asked = [
			await shop.ask("inconnue@example.fr", { siren }),
			await shop.ask("connue@example.fr", { siren }),
			await shop.ask("Pleine@example.fr", { siren }),
			await shop.ask("robot@example.fr", { siren, fields: { website: "https://spam.example" } }),
		];
		const [first, ...others] = await Promise.all(asked.map(describeAnswer));
		for (const other of others) expect(other).toEqual(first);
		const followed = await describeAnswer(await shop.ask("connue@example.fr"));
		expect(followed).toEqual(await describeAnswer(await shop.ask("inconnue@example.fr")));
		await shop.waitForJobs();
		// only the e-mails tell; those of two companies come in any order
		expect(shop.mailsTo("connue@example.fr").map(({ content }) => plain(content.text ?? ""))).toContainEqual(
			expect.stringContaining("une entreprise que vous suivez déjà"),
		);
		const last = plain(shop.mailsTo("pleine@example.fr").at(-1)?.content.text ?? "");
		expect(last).toContain(`vous suivez déjà ${maxFollowedCompanies} entreprises`);
		expect(last).toMatch(/http\S+\/alertes\/[\w-]+\./);
		expect(await shop.listAlerts("pleine@example.fr")).toHaveLength(maxFollowedCompanies);
		expect(await shop.listAlerts("robot@example.fr")).toEqual([]);
		// such an e-mail comes once in a while, however often somebody asks
		const before = shop.mailsTo("pleine@example.fr").length;
		await Promise.all(Array.from({ length: 3 }, () => shop.ask("pleine@example.fr", { siren })));
		await shop.waitForJobs();
		expect(shop.mailsTo("pleine@example.fr")).toHaveLength(before);
	});

	test("a mailbox gets five e-mails a day, and twenty requests are recorded for it; the form answers the same", async () => {
		const email = "inondee@example.fr";
		const burst = [];
		for (const siren of await listSirens(30)) {
			burst.push((await shop.ask(email, { siren })).status);
			await shop.waitForJobs();
			shop.days(0.01);
		}
		expect(burst).toEqual(Array(30).fill(303));
		await shop.waitForJobs();
		expect(shop.mailsTo(email)).toHaveLength(5);
		expect(await shop.listAlerts(email)).toHaveLength(20);
	});

	test("companies that are asked for within five minutes share an e-mail, whose link confirms them all", async () => {
		const email = "ensemble-plusieurs@example.fr";
		const [one = "", two = "", three = "", four = ""] = (await listSirens(60)).slice(-4);
		const before = shop.clock.at;
		// the queue has its own clock: what waits for an instant of this one does not begin
		shop.days(3650);
		// what joins an e-mail is none of the four that a client may ask for
		const ask = (siren: string) => shop.ask(email, { siren, from: "10.9.8.1" });
		await ask(one);
		expect(await shop.linksTo(email, "confirmer")).toHaveLength(1);
		for (const siren of [two, three, two, four]) expect((await ask(siren)).status).toBe(303);
		const waiting = (await shop.listAlerts(email)).find(({ siren }) => siren === two);
		const [alertId, followerId] = [waiting?.id, waiting?.follower_id];
		expect(await takeWaitingJobs()).toMatchObject([
			{ start_after: minutes(5), data: { alertId, followerId, after: minutes(5).getTime() } },
		]);
		await sendAlertConfirmation(shop.shop, waiting?.id ?? "");
		const [first, second, ...others] = shop.mailsTo(email);
		expect([first?.content.subject, second?.content.subject, others]).toEqual([
			expect.stringMatching(/^Confirmez votre alerte sur /),
			"Confirmez vos alertes sur 3 entreprises",
			[],
		]);
		const link = (await shop.linksTo(email, "confirmer")).at(-1) ?? "";
		const asked = await page(link);
		for (const said of [two, three, four, "Confirmer mes alertes"]) expect(asked).toContain(said);
		expect(asked).not.toContain(one);
		const set = (siren: string, values: { confirmed_at?: Date | null; ended_at?: Date }) =>
			shop.shop.db
				.updateTable("company_alerts")
				.set(values)
				.where("follower_id", "=", followerId ?? "")
				.where("siren", "=", siren as never)
				.execute();
		const listConfirmed = async () => (await shop.listAlerts(email)).filter(({ confirmed_at }) => confirmed_at).map(({ siren }) => siren);
		// one that is followed already leaves the others to be confirmed
		await set(three, { confirmed_at: shop.clock.at });
		expect(await page(link)).toContain("Confirmer mes alertes");
		expect(await (await shop.postForm(link, {})).text()).toContain("Vos alertes sont confirmées");
		expect((await listConfirmed()).sort()).toEqual([two, three, four].sort());
		// once the alert of the link has ended, it confirms no other either
		await set(two, { ended_at: shop.clock.at });
		await set(four, { confirmed_at: null });
		for (const late of [await shop.request(link), await shop.postForm(link, {})])
			expect([late.status, await late.text()]).toEqual([410, expect.stringContaining("Ce lien n’est plus valable")]);
		expect(await listConfirmed()).not.toContain(four);
		shop.clock.at = before;
	});

	test("a client asks for four e-mails a day to a mailbox; what it asks for beyond is not recorded", async () => {
		const email = "insistante@example.fr";
		for (const siren of await listSirens(5)) {
			expect((await shop.ask(email, { siren, from: "10.9.8.2" })).status).toBe(303);
			await shop.waitForJobs();
			shop.days(0.01);
		}
		expect([shop.mailsTo(email).length, (await shop.listAlerts(email)).length]).toEqual([4, 4]);
	});

	test("what is asked for while an e-mail is being sent, or after those of a day, waits for the next one", async () => {
		const { db } = shop.shop;
		const email = "pendant@example.fr";
		const [one = "", two = ""] = (await listSirens(45)).slice(-2);
		const before = shop.clock.at;
		shop.days(3650);
		await shop.ask(email, { siren: one });
		await shop.waitForJobs();
		const [{ id = "", follower_id: followerId = "", text_version: textVersion = "" } = {}] = await shop.listAlerts(email);
		await db.updateTable("company_alerts").set({ confirmation_sent_at: null }).where("id", "=", id).execute();
		const readConfirmAfter = async () =>
			(await db.selectFrom("company_followers").select("confirm_after").where("id", "=", followerId).executeTakeFirst())?.confirm_after;
		let sending: Promise<void> | undefined;
		let alertId: string | null = null;
		await db.transaction().execute(async (trx) => {
			await lockFollower(trx, followerId);
			sending = sendAlertConfirmation(shop.shop, id);
			await waitForLock(db, sending);
			const choices = { frequency: "weekly" as const, topics: ["sales" as const] };
			alertId = await recordAlertRequest(trx, { followerId, siren: two as never, choices, textVersion, now: shop.clock.at });
			shop.days(0.1); // before the lock is free: what waits for it may go on at the commit
		});
		await sending;
		expect(await takeWaitingJobs()).toMatchObject([
			{ start_after: minutes(5), data: { alertId, followerId, after: minutes(5).getTime() } },
		]);
		expect(await readConfirmAfter()).toEqual(minutes(5));
		// five with the two above
		for (let i = 0; i < 3; i++) await sendAskedEmail(shop.shop, { id: `${id}-${i}`, to: email, subject: "x", text: "x", html: "<p>x</p>" });
		await sendAlertConfirmation(shop.shop, alertId ?? "");
		const [{ start_after, data } = expect.fail("nothing waits"), ...others] = await takeWaitingJobs();
		expect([data, others]).toMatchObject([{ alertId, followerId, after: start_after.getTime() }, []]);
		expect([await readConfirmAfter(), shop.mailsTo(email).length]).toEqual([start_after, 5]);
		shop.clock.at = start_after;
		await sendAlertConfirmation(shop.shop, alertId ?? "");
		expect(shop.mailsTo(email)).toHaveLength(6);
		shop.clock.at = before;
	});

	test("requests of a client are limited, with a sentence", async () => {
		for (let i = 0; i < 20; i++) expect((await shop.ask(`foule${i}@example.fr`, { from: "10.9.9.9" })).status).toBe(303);
		const answer = await shop.ask("foule20@example.fr", { from: "10.9.9.9" });
		expect([answer.status, Number(answer.headers.get("retry-after")) > 3000]).toEqual([429, true]);
		expect(await answer.text()).toContain("Trop de demandes");
		expect(await shop.listAlerts("foule20@example.fr")).toEqual([]);
	});

	test("the e-mail that asks for confirmation is sent once, and for nothing that is confirmed, deleted or masked", async () => {
		const { db } = shop.shop;
		const [siren = ""] = (await listSirens(35)).slice(-1);
		const send = async (id: string) => {
			const before = shop.smtp.mails.length;
			await sendAlertConfirmation(shop.shop, id);
			return shop.smtp.mails.length - before;
		};
		const setAlert = (id: string, values: { confirmation_sent_at: null }) =>
			db.updateTable("company_alerts").set(values).where("id", "=", id).execute();
		const setCompany = (values: { masked?: boolean; name?: string | null }) =>
			db
				.updateTable("companies")
				.set(values)
				.where("siren", "=", siren as never)
				.execute();
		const { alert: confirmed } = await shop.follow("deja@example.fr");
		await setAlert(confirmed.id, { confirmation_sent_at: null });
		expect([await send(confirmed.id), await send(crypto.randomUUID())]).toEqual([0, 0]);
		await shop.ask("une-fois@example.fr", { siren });
		await shop.waitForJobs();
		const [{ id = "" } = {}] = await shop.listAlerts("une-fois@example.fr");
		expect(await send(id)).toBe(0);
		await setAlert(id, { confirmation_sent_at: null });
		await setCompany({ masked: true });
		expect(await send(id)).toBe(0);
		await setCompany({ masked: false, name: null });
		expect([await send(id), await send(id)]).toEqual([1, 0]);
		expect(shop.smtp.mails.at(-1)?.content.subject).toBe(`Confirmez votre alerte sur SIREN ${siren}`);
	});

	test("a refused e-mail that asks for confirmation is logged; each try has the same Message-ID", async () => {
		const { lines, log } = createRecordedLog();
		const mailIds: string[] = [];
		await shop.ask("journal@example.fr");
		await shop.waitForJobs();
		const [{ id = "" } = {}] = await shop.listAlerts("journal@example.fr");
		const send = async (outcome: { ok: true } | { ok: false; code: "refused"; reply: string }) => {
			await shop.shop.db.updateTable("company_alerts").set({ confirmation_sent_at: null }).where("id", "=", id).execute();
			const send: Mailer["send"] = async (mail) => {
				mailIds.push(mail.id);
				return outcome;
			};
			await sendAlertConfirmation({ ...shop.shop, log, mailer: { ...shop.shop.mailer, send } }, id);
		};
		await send({ ok: true });
		expect(lines).toEqual([]);
		await send({ ok: false, code: "refused", reply: "550 no such user" });
		expect(lines).toMatchObject([{ level: 40, alert: id, reason: "550 no such user" }]);
		expect(mailIds).toEqual(Array(2).fill(`${id}-${shop.clock.at.getTime()}`));
	});

	test("an e-mail to an unknown recipient is not tried again", async () => {
		shop.smtp.controls.reject("partie@example.fr");
		await shop.ask("partie@example.fr");
		expect(await shop.linksTo("partie@example.fr", "confirmer")).toEqual([]);
		expect(await shop.listAlerts("partie@example.fr")).toMatchObject([{ confirmed_at: null }]);
	});
});

describe("confirming", () => {
	test("a scanner that opens the link changes nothing; the button confirms, and a second click shows the same", async () => {
		await shop.ask("zoe@example.fr");
		const [link = ""] = await shop.linksTo("zoe@example.fr", "confirmer");
		for (const method of ["GET", "HEAD", "GET"]) {
			const answer = await shop.request(link, { method });
			expect(answer.status).toBe(200);
			expect(answer.headers.get("cache-control")).toBe("no-store");
			expect(answer.headers.get("referrer-policy")).toBe("strict-origin");
			expect(answer.headers.get("x-robots-tag")).toBe("noindex");
		}
		const html = await page(link);
		for (const said of ["Confirmer mon alerte", "DANONE", "À chaque annonce : modifications"]) expect(html).toContain(said);
		expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
		expect(await shop.listAlerts("zoe@example.fr")).toMatchObject([{ confirmed_at: null }]);
		const confirmedAt = shop.clock.at;
		expect(await (await shop.postForm(link, {})).text()).toContain("Votre alerte est confirmée");
		shop.days(1);
		for (const again of [await shop.postForm(link, {}), await shop.request(link)])
			expect(await again.text()).toContain("Votre alerte est confirmée");
		const alerts = await shop.listAlerts("zoe@example.fr");
		expect(alerts).toMatchObject([{ confirmed_at: confirmedAt }]);
		// nor does it prolong the alerts
		const follower = shop.shop.db
			.selectFrom("company_followers")
			.select("active_at")
			.where("id", "=", alerts[0]?.follower_id ?? "");
		expect(await follower.execute()).toEqual([{ active_at: confirmedAt }]);
		await shop.shop.db
			.deleteFrom("company_alerts")
			.where("id", "=", alerts[0]?.id ?? "")
			.execute();
		for (const gone of [await shop.postForm(link, {}), await shop.request(link)]) expect(gone.status).toBe(410);
	});

	test("the link expires after thirty days; a forged or foreign one is refused", async () => {
		await shop.ask("lente@example.fr");
		const [link = ""] = await shop.linksTo("lente@example.fr", "confirmer");
		const token = link.split("/").at(-1) ?? "";
		for (const wrong of [`${token.slice(0, -2)}xx`, "abc", shop.shop.signer.sign("company-alerts", "x"), "%FF%00"]) {
			for (const path of [`/alertes/confirmer/${wrong}`, `/alertes/fin/${wrong}`, `/alertes/desinscription/${wrong}`]) {
				for (const answer of [await shop.request(path), await shop.postForm(path, {})]) {
					expect([path, answer.status < 500 && answer.status >= 400]).toEqual([path, true]);
					expect(await answer.text()).not.toContain("confirmée");
				}
			}
		}
		expect((await shop.request(`/alertes/confirmer/${token.slice(0, -2)}xx`)).status).toBe(403);
		// a token serves one purpose
		for (const path of ["/alertes/fin/", "/alertes/desinscription/", "/alertes/"])
			expect((await shop.request(path + token)).status).toBe(403);
		shop.days(29.9);
		expect((await shop.request(link)).status).toBe(200);
		shop.days(0.2);
		for (const late of [await shop.request(link), await shop.postForm(link, {})]) {
			expect(late.status).toBe(410);
			expect(await late.text()).toContain("Ce lien n’est plus valable");
		}
		expect(await shop.listAlerts("lente@example.fr")).toMatchObject([{ confirmed_at: null }]);
	});

	test("the fifty-first company is not confirmed, also by two clicks at once, until one is ended", async () => {
		const { db } = shop.shop;
		const [one = "", two = "", ...others] = await listSirens(maxFollowedCompanies + 1);
		const { alert, list } = await shop.follow("cinquante@example.fr");
		for (const siren of others.slice(0, maxFollowedCompanies - 2))
			await db
				.insertInto("company_alerts")
				.values({ ...alert, id: crypto.randomUUID(), siren: siren as never })
				.execute();
		shop.days(1);
		// 49 are followed: two requests are pending, of which one fits
		for (const siren of [one, two]) {
			await shop.ask("cinquante@example.fr", { siren });
			await shop.waitForJobs();
			shop.days(0.01);
		}
		const links = (await shop.linksTo("cinquante@example.fr", "confirmer")).slice(-2);
		const answers = await Promise.all(links.map((link) => shop.postForm(link, {})));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const running = (await shop.listAlerts("cinquante@example.fr")).filter(({ confirmed_at }) => confirmed_at);
		expect(running).toHaveLength(maxFollowedCompanies);
		const refused = links[answers.findIndex(({ status }) => status === 409)] ?? "";
		expect(await page(refused)).toContain(`Vous suivez déjà ${maxFollowedCompanies} entreprises`);
		expect((await shop.postForm(list, { do: "end", alert: alert.id })).status).toBe(303);
		expect((await shop.postForm(refused, {})).status).toBe(200);
	});

	test("a company that is masked meanwhile can no longer be confirmed", async () => {
		const [siren = ""] = (await listSirens(40)).slice(-1);
		await shop.ask("masque@example.fr", { siren });
		const [link = ""] = await shop.linksTo("masque@example.fr", "confirmer");
		await shop.shop.db
			.updateTable("companies")
			.set({ masked: true, name: null })
			.where("siren", "=", siren as never)
			.execute();
		for (const answer of [await shop.request(link), await shop.postForm(link, {})]) expect(answer.status).toBe(410);
		expect(await shop.listAlerts("masque@example.fr")).toMatchObject([{ confirmed_at: null }]);
	});
});
