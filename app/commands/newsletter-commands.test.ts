import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { listDeskLog } from "../desk/log/desk-log.store.server.ts";
import { readDemoMails } from "../mail/read-demo-mails.server.ts";
import { runNewsletterCommand } from "./newsletter-commands.server.ts";

const folder = mkdtempSync(join(tmpdir(), "newsletter-"));
let opened: TestShop;
beforeAll(async () => {
	opened = await createTestShop({ variables: { LOG_LEVEL: "silent" }, now: () => new Date("2026-11-23T09:00:00Z") });
	const states = {
		"ada@example.fr": { confirmed_at: opened.shop.now() },
		"grace@example.fr": { confirmed_at: opened.shop.now() },
		"attend@example.fr": {},
		"partie@example.fr": { confirmed_at: opened.shop.now(), unsubscribed_at: opened.shop.now() },
	};
	for (const [email, state] of Object.entries(states)) {
		const asked = { id: crypto.randomUUID(), email, source: "form" as const, text_version: "1", requested_at: opened.shop.now() };
		await opened.shop.db
			.insertInto("newsletter_subscriptions")
			.values({ ...asked, ...state })
			.execute();
	}
});
afterAll(async () => {
	await opened?.close();
	rmSync(folder, { recursive: true });
});

/** What the operator is told, with ordinary spaces. */
async function newsletter(...args: string[]) {
	const { ok, text } = await runNewsletterCommand({ ...opened.shop, readInput: async () => null }, args);
	return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

function file(content: string): string {
	const path = join(folder, `${crypto.randomUUID()}.md`);
	writeFileSync(path, content);
	return path;
}
const mails = async () =>
	(await readDemoMails(join(opened.shop.environment.dataDir, "mails"), 100))
		.map(({ to, subject }) => `${to}: ${subject.replaceAll("\u00a0", " ")}`)
		.sort();

test("a test copy goes to one address; then the issue goes once to each subscriber, and the list shows it", async () => {
	const letter = file("# Novembre : les nouvelles\n\nBonjour.\n");
	expect(await newsletter("list")).toMatchObject({
		ok: true,
		text: expect.stringMatching(
			/À confirmer : +1\nInscrits : +2\nTerminées : +1\nAlertes sur des entreprises : +0 suivies par 0 adresses ; à confirmer : 0$/,
		),
	});
	expect(await newsletter("send", letter, "--to", "relecture@example.fr")).toMatchObject({
		ok: true,
		text: expect.stringContaining("relecture@example.fr"),
	});
	await vi.waitFor(async () => expect(await mails()).toEqual(["relecture@example.fr: Novembre : les nouvelles"]), {
		timeout: scaledTimeout(20_000),
		interval: 50,
	});
	expect((await newsletter("list")).text).not.toContain("Novembre");

	const sent = await newsletter("send", letter, "--as", "Camille");
	expect(sent).toMatchObject({ ok: true, text: expect.stringContaining("part à 2 inscrits") });
	expect((await listDeskLog(opened.shop.db, 1))[0]).toMatchObject({
		verb: "newsletter send",
		who: "Camille",
		outcome: "done",
		subject: null,
	});
	await vi.waitFor(
		async () =>
			expect((await newsletter("list")).text).toMatch(
				/23\/11\/2026 10:00 +Novembre : les nouvelles +envoyées : 2 +en attente : 0 +refusées : 0/,
			),
		{
			timeout: scaledTimeout(20_000),
			interval: 50,
		},
	);
	expect(await newsletter("send", letter)).toMatchObject({ ok: false, text: expect.stringContaining("ne part à personne") });
	expect(await newsletter("send", file("# Une autre\n\nBonjour.\n"))).toEqual({
		ok: false,
		text: expect.stringMatching(/^« Novembre : les nouvelles » est partie le 23\/11\/2026, .*par mois/),
	});
	expect((await mails()).map((mail) => mail.split(":")[0])).toEqual(["ada@example.fr", "grace@example.fr", "relecture@example.fr"]);
});

test("an invalid issue is refused with its problems, and nothing is stored", async () => {
	expect(await newsletter("send", join(folder, "absente.md"))).toEqual({ ok: false, text: expect.stringContaining("ENOENT") });
	const image = file("# Objet\n\n![chat](chat.png)\n");
	for (const to of [[], ["--to", "ada@example.fr"]])
		expect(await newsletter("send", image, ...to)).toEqual({ ok: false, text: expect.stringMatching(/chat\.png[\s\S]*Rien n’est envoyé/) });
	expect(await newsletter("send", file("# Objet\n\nBonjour"), "--to", "ada@")).toEqual({
		ok: false,
		text: "Cette adresse e-mail n’est pas valide.",
	});
	expect((await newsletter("list")).text).not.toContain("Objet");
	for (const wrong of [
		[],
		["send"],
		["send", image, image],
		["list", "x"],
		["list", "--to", "a@b.fr"],
		["list", "--cc"],
		["send", image, "--cc", "x"],
		["publish"],
	])
		expect(await newsletter(...wrong), wrong.join(" ")).toEqual({ ok: false, text: expect.stringContaining("Usage : npm run newsletter") });
});
