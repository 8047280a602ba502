import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AlertShop, createAlertShop, createRecordedLog, danone } from "../../../test/company-alerts.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { purge } from "../../desk/retention/purge.server.ts";
import type { Mailer, MailOutcome } from "../../mail/mailer.ts";
import { endAllUrl } from "./links.server.ts";
import { sendAlertLink } from "./send-link.server.ts";

let shop: AlertShop;
beforeAll(async () => {
	shop = await createAlertShop("2026-11-23T09:00:00Z");
});
afterAll(() => shop?.stop());
beforeEach(async () => {
	await shop.waitForJobs();
	await shop.shop.db.deleteFrom("company_followers").execute();
	await sql`delete from rate_limits`.execute(shop.shop.db);
	shop.smtp.mails.length = 0;
});

const laPoste = "356000000";
const plain = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("<!-- -->", "");
const page = async (path: string) => plain(await (await shop.request(path)).text());
const post = (path: string, fields: [string, string][]) => shop.request(path, { method: "POST", body: new URLSearchParams(fields) });
const countRunning = async (email: string) =>
	(await shop.listAlerts(email)).filter(({ confirmed_at, ended_at }) => confirmed_at && !ended_at).length;

describe("the list of a mailbox's alerts", () => {
	test("shows each company with its choices, is private, and says when all ends", async () => {
		await shop.follow("ada@example.fr", { frequency: "weekly", topics: ["sales"] });
		const { list } = await shop.follow("ada@example.fr", { siren: laPoste });
		await shop.ask("ada@example.fr", { siren: "005420039" });
		const answer = await shop.request(list);
		expect(answer.status).toBe(200);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"cache-control": "no-store",
			"referrer-policy": "strict-origin",
			"x-robots-tag": "noindex",
		});
		const html = plain(await answer.text());
		expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
		for (const said of [
			"DANONE",
			"Une fois par semaine, le lundi : ventes et cessions",
			"LA POSTE",
			"ces 2 entreprises",
			"23 novembre 2029",
		])
			expect(html).toContain(said);
		expect(html).not.toContain("005420039");
		expect(html).not.toContain("ada@example.fr");
	});

	test("changes the choices of one alert, and refuses none", async () => {
		const { list, alert } = await shop.follow("ada@example.fr");
		const change = [
			["do", "change"],
			["alert", alert.id],
			["frequency", "weekly"],
		] as [string, string][];
		const changed = await post(list, [...change, ["topic", "accounts"], ["topic", "sales"]]);
		expect([changed.status, changed.headers.get("location")]).toEqual([303, `${list}?fait=change`]);
		expect(await page(`${list}?fait=change`)).toContain("Vos choix sont enregistrés");
		expect(await shop.listAlerts("ada@example.fr")).toMatchObject([{ frequency: "weekly", topics: ["sales", "accounts"], ended_at: null }]);
		const refused = await post(list, change);
		expect([refused.status, plain(await refused.text())]).toEqual([400, expect.stringContaining("Choisissez au moins un type d’annonce")]);
		expect(await shop.listAlerts("ada@example.fr")).toMatchObject([{ topics: ["sales", "accounts"] }]);
	});

	test("follows another company without another confirmation, each once, which prolongs all", async () => {
		const { list, alert } = await shop.follow("ada@example.fr");
		shop.days(1);
		expect(
			(
				await post(list, [
					["do", "follow"],
					["siren", "356 000 000"],
				])
			).status,
		).toBe(303);
		expect(await shop.listAlerts("ada@example.fr")).toMatchObject([
			{},
			{ siren: laPoste, confirmed_at: shop.clock.at, frequency: "at-once", text_version: textVersions.companyAlerts.date },
		]);
		const follower = shop.shop.db.selectFrom("company_followers").select("active_at").where("id", "=", alert.follower_id);
		expect(await follower.execute()).toEqual([{ active_at: shop.clock.at }]);
		expect(shop.mailsTo("ada@example.fr")).toHaveLength(1);
		for (const [siren, sentence] of [
			[laPoste, "Vous suivez déjà cette entreprise"],
			["12", "Un SIREN a neuf chiffres"],
			["900000001", "Aucune entreprise que vous pouvez suivre"],
			["\u0000<b>", "Un SIREN a neuf chiffres"],
		] as const) {
			const answer = await post(list, [
				["do", "follow"],
				["siren", siren],
			]);
			expect([siren, answer.status]).toEqual([siren, 400]);
			expect(plain(await answer.text())).toContain(sentence);
		}
		const burst = await Promise.all(
			Array.from({ length: 5 }, () =>
				post(list, [
					["do", "follow"],
					["siren", "005420039"],
				]),
			),
		);
		expect(burst.filter(({ status }) => status === 303)).toHaveLength(1);
		expect(await countRunning("ada@example.fr")).toBe(3);
	});

	test("follows as many companies as a mailbox may, and no more", async () => {
		const { list, alert } = await shop.follow("ada@example.fr");
		for (let n = 2; n < maxFollowedCompanies; n++)
			await shop.shop.db
				.insertInto("company_alerts")
				.values({ ...alert, id: crypto.randomUUID(), siren: String(900_000_000 + n) as never })
				.execute();
		const follow = (siren: string) => shop.postForm(list, { do: "follow", siren });
		expect((await follow(laPoste)).status).toBe(303);
		const refused = await follow("005420039");
		expect([refused.status, await refused.text()]).toEqual([
			400,
			expect.stringContaining("Vous suivez déjà 50 entreprises, le plus possible."),
		]);
		expect(await countRunning("ada@example.fr")).toBe(maxFollowedCompanies);
	});

	test("ends one alert or all; those of another mailbox stay", async () => {
		const ada = await shop.follow("ada@example.fr");
		await shop.follow("ada@example.fr", { siren: laPoste });
		const grace = await shop.follow("grace@example.fr");
		for (const act of ["end", "change"])
			expect(
				(
					await post(ada.list, [
						["do", act],
						["alert", grace.alert.id],
						["topic", "sales"],
					])
				).status,
			).toBe(303);
		expect(await shop.listAlerts("grace@example.fr")).toMatchObject([{ ended_at: null, topics: grace.alert.topics }]);
		const ended = await post(ada.list, [
			["do", "end"],
			["alert", ada.alert.id],
		]);
		expect([ended.headers.get("location"), await countRunning("ada@example.fr")]).toEqual([`${ada.list}?fait=end`, 1]);
		expect((await post(ada.list, [["do", "end-all"]])).headers.get("location")).toBe(`${ada.list}?fait=end-all`);
		expect(await countRunning("ada@example.fr")).toBe(0);
		expect(await page(`${ada.list}?fait=end-all`)).toContain("Vous ne suivez aucune entreprise");
		for (const body of [
			[],
			[["do", "x"]],
			...["end", "change"].map((act) => [
				["do", act],
				["alert", "\u0000"],
				["topic", "sales"],
			]),
		] as [string, string][][])
			expect((await post(ada.list, body)).status).toBeLessThan(500);
	});

	test("a wrong or old link shows nothing and changes nothing", async () => {
		const { list, alert } = await shop.follow("ada@example.fr");
		const end = [
			["do", "end"],
			["alert", alert.id],
		] as [string, string][];
		const forged = `${list.slice(0, -2)}xx`;
		const other = `/alertes/${shop.shop.signer.sign("company-alerts-end", alert.follower_id)}`;
		for (const path of [forged, other, "/alertes/abc"]) {
			for (const answer of [await shop.request(path), await post(path, end)]) {
				expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 403, "no-store"]);
				expect(await answer.text()).not.toContain("DANONE");
			}
		}
		shop.days(30.1);
		for (const answer of [await shop.request(list), await post(list, end)]) {
			expect(answer.status).toBe(410);
			expect(await answer.text()).toMatch(/Ce lien n’est plus valable[\s\S]*href="\/alertes"/);
		}
		expect(await countRunning("ada@example.fr")).toBe(1);
	});
});

test("the links of e-mails of any age end one alert or all, each only its own", async () => {
	const { alert } = await shop.follow("ada@example.fr");
	// signed long ago
	const one = shop.shop.signer.sign("company-alert-end", alert.id);
	const all = shop.shop.signer.sign("company-alerts-end", alert.follower_id);
	for (const [path, ...texts] of [
		[`/alertes/fin/${one}`, "Ne plus suivre cette entreprise", "DANONE"],
		[`/alertes/desinscription/${all}`, "Arrêter toutes mes alertes"],
	] as const)
		for (const text of texts) expect(await page(path)).toContain(text);
	for (const path of [`/alertes/fin/${all}`, `/alertes/desinscription/${one}`]) expect((await shop.postForm(path, {})).status).toBe(403);
	expect(await countRunning("ada@example.fr")).toBe(1);
});

describe("a lost link", () => {
	const askForLink = (email: string, from: string, fields: Record<string, string> = {}) =>
		shop.postForm("/alertes", { email, ...fields }, { "x-forwarded-for": from });

	test("is sent to a mailbox with alerts; the answer is the same for all", async () => {
		await shop.follow("ada@example.fr");
		shop.smtp.mails.length = 0;
		const answers = [];
		for (const [i, email] of ["Ada@example.fr", "inconnue@example.fr", "robot@example.fr"].entries())
			answers.push(await askForLink(email, `10.2.0.${i}`, email.startsWith("robot") ? { website: "x" } : {}));
		expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual(Array(3).fill([303, "/alertes?demande=1"]));
		expect(await page("/alertes?demande=1")).toMatch(/Le lien part par e-mail[\s\S]*un message toutes les 10\s+minutes/);
		await shop.waitForJobs();
		expect(shop.smtp.mails.map(({ to }) => to)).toEqual([["ada@example.fr"]]);
		const link = /http\S+\/alertes\/[\w-]+\.[\w-]+/.exec(shop.smtp.mails[0]?.content.text ?? "")?.[0] ?? "";
		expect(await page(link)).toContain("DANONE");
	});

	test("is not sent to a mailbox whose alerts wait or have ended", async () => {
		await shop.ask("attend@example.fr");
		const { list } = await shop.follow("finie@example.fr");
		await shop.postForm(list, { do: "end-all" });
		await shop.waitForJobs();
		shop.smtp.mails.length = 0;
		for (const [i, email] of ["attend@example.fr", "finie@example.fr"].entries()) await askForLink(email, `10.2.4.${i}`);
		await shop.waitForJobs();
		expect(shop.smtp.mails.map(({ to }) => to)).toEqual([]);
	});

	test("is sent to a mailbox five times a day in all, by this form or that of a company", async () => {
		await shop.follow("ada@example.fr");
		for (const [form, ask] of [
			[1, (from: string) => askForLink("ada@example.fr", from)],
			[2, (from: string) => shop.ask("ada@example.fr", { from })],
		] as const) {
			shop.days(1);
			shop.smtp.mails.length = 0;
			for (let i = 0; i < 6; i++) {
				await ask(`10.3.${form}.${i}`);
				await shop.waitForJobs();
				shop.days(0.01);
			}
			expect(new Set(shop.mailsTo("ada@example.fr").map(({ content }) => content.messageId)).size).toBe(5);
		}
	});

	test("that its mail server refuses is logged", async () => {
		await shop.follow("ada@example.fr");
		const { lines, log } = createRecordedLog();
		const mailIds: string[] = [];
		const send = (outcome: MailOutcome) => {
			const record: Mailer["send"] = async (mail) => {
				mailIds.push(mail.id);
				return outcome;
			};
			const mailer = { ...shop.shop.mailer, send: record };
			return sendAlertLink({ ...shop.shop, log, mailer }, { mailId: "a mail", email: "ada@example.fr", reason: "asked" });
		};
		await send({ ok: true });
		expect(lines).toEqual([]);
		await send({ ok: false, code: "refused", reply: "550 no such user" });
		expect(lines).toMatchObject([{ level: 40, reason: "550 no such user" }]);
		expect(mailIds).toEqual(["a mail", "a mail"]);
	});

	test("is refused without an address, and limited for each mailbox and each client", async () => {
		expect((await askForLink("ada@", "10.2.1.1")).status).toBe(400);
		await shop.follow("ada@example.fr");
		shop.smtp.mails.length = 0;
		for (let i = 0; i < 5; i++) expect((await askForLink("ada@example.fr", `10.2.2.${i}`)).status).toBe(303);
		await shop.waitForJobs();
		expect(shop.mailsTo("ada@example.fr")).toHaveLength(1);
		for (let i = 0; i < 10; i++) expect((await askForLink(`foule${i}@example.fr`, "10.2.3.1")).status).toBe(303);
		expect((await askForLink("foule10@example.fr", "10.2.3.1")).status).toBe(429);
	});
});

describe("retention", () => {
	test("unconfirmed requests are deleted after 30 days, with a mailbox that has nothing else", async () => {
		await shop.ask("jamais@example.fr");
		await shop.waitForJobs();
		shop.days(29.9);
		expect(await purge(shop.shop)).toMatchObject({ companyAlertRequests: 0 });
		shop.days(0.2);
		expect(await purge(shop.shop)).toMatchObject({ companyAlertRequests: 1, companyAlerts: 0 });
		expect(await shop.shop.db.selectFrom("company_followers").selectAll().execute()).toEqual([]);
	});

	test("alerts end after three years without an act; any act prolongs them, and their proof is deleted three years later", async () => {
		await shop.follow("silencieuse@example.fr");
		const { list } = await shop.follow("active@example.fr");
		shop.days(29);
		expect((await post(list, [["do", "keep"]])).headers.get("location")).toBe(`${list}?fait=keep`);
		shop.days(3 * 365 + 1 - 29);
		expect(await purge(shop.shop)).toMatchObject({ companyAlerts: 0 });
		shop.days(1);
		expect(await purge(shop.shop)).toMatchObject({ companyAlerts: 1, companyAlertProofs: 0 });
		expect([await countRunning("silencieuse@example.fr"), await countRunning("active@example.fr")]).toEqual([0, 1]);
		shop.days(29);
		expect(await purge(shop.shop)).toMatchObject({ companyAlerts: 1 });
		shop.days(3 * 365 + 2);
		expect(await purge(shop.shop)).toMatchObject({ companyAlertProofs: 2 });
		expect(await shop.shop.db.selectFrom("company_followers").selectAll().execute()).toEqual([]);
	});

	test("a person is exported and erased, in any case; the links of earlier e-mails then end nothing", async () => {
		const { alert } = await shop.follow("ada@example.fr");
		await shop.follow("grace@example.fr");
		const id = await shop.publish();
		await shop.tell();
		const data = await exportPerson(shop.shop, " ADA@example.fr");
		expect(data.company_alerts).toMatchObject([{ email: "ada@example.fr", siren: danone, confirmed_at: alert.confirmed_at }]);
		expect(data.company_alert_mails).toMatchObject([{ sent_at: expect.any(Date), refused_reason: null, notices: [id] }]);
		expect(JSON.stringify(data)).not.toContain("grace");
		expect(await erasePerson(shop.shop, "ADA@example.fr")).toMatchObject({ companyAlerts: 1 });
		expect((await exportPerson(shop.shop, "ada@example.fr")).company_alerts).toEqual([]);
		const { db } = shop.shop;
		for (const table of ["company_followers", "company_alerts", "company_alert_mails", "company_alert_notices"] as const)
			expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, [expect.anything()]]);
		const answer = await shop.postForm(endAllUrl(shop.shop, alert.follower_id), {});
		expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Vos alertes sont arrêtées")]);
		expect(await countRunning("grace@example.fr")).toBe(1);
	});
});
