import { rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { everyPartWorks, untilReadyzAnswers } from "../../../test/readiness.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { type Part, partNames } from "./part.ts";
import { measureParts, type Probe } from "./probe-parts.server.ts";
import { insertProbes } from "./status.store.server.ts";

/** A shop whose clock a test moves, and which measures when a test says so. */

let now = new Date("2026-11-21T13:07:00Z"); // 14 h 07 in Paris
let shop: TestShop;

beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());
beforeEach(() => deleteRows(shop.shop.db, "probes", "probe_days"));

/** A shop that has measured what its start asked for. */
async function openShop(variables: Record<string, string> = {}): Promise<TestShop> {
	const opened = await createTestShop({ variables: { LOG_LEVEL: "silent", ...variables }, now: () => now });
	await untilIdle(opened);
	return opened;
}

const untilIdle = ({ shop: { db } }: TestShop) =>
	vi.waitFor(
		async () => {
			// the queue's clock first sends itself what it is to send
			const under = sql`select from jobs.job where name in ('measure-parts', '__pgboss__send-it') and state in ('created', 'retry', 'active')`;
			if ((await under.execute(db)).rows.length > 0) throw new Error("a measure is under way");
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);

/** Puts a file where the storage has its folder, for as long as something is done. */
async function withoutStorage(act: () => Promise<unknown>, { shop: { environment } } = shop) {
	const folder = join(environment.dataDir, "documents");
	rmSync(folder, { recursive: true, force: true });
	writeFileSync(folder, "in the way");
	try {
		await act();
	} finally {
		rmSync(folder);
	}
}

const listProbes = ({ shop: { db } } = shop) => db.selectFrom("probes").selectAll().orderBy("at").orderBy("part").execute();
const failedParts = async (opened = shop) => (await listProbes(opened)).filter(({ ok }) => !ok).map(({ part }) => part);

/** Writes measures of every part, one for each mark: `+` worked, `-` failed for the part named, a blank is missing. */
async function write(from: string, part: Part, signs: string) {
	for (const [index, sign] of [...signs].entries()) {
		if (sign === " ") continue;
		const probes = Object.fromEntries(partNames.map((name) => [name, { ok: name !== part || sign === "+", ms: 1 }]));
		await insertProbes(shop.shop.db, new Date(new Date(from).getTime() + index * 300_000), probes as Record<Part, Probe>);
	}
}

/** What the page says, as it is read. */
async function page() {
	const answer = await shop.ask("/status-systeme");
	const html = /<main.*<\/main>/s.exec(await answer.text())?.[0] ?? "";
	const text = html
		.replaceAll(/<!-- -->|<\/?time[^>]*>/g, "")
		.replaceAll(/<[^>]+>/g, "\n")
		.replaceAll(/\n\s*/g, "\n");
	return { answer, html, text, plain: text.replaceAll("\u00a0", " ").replaceAll("\n", " ").replaceAll(/ +/g, " ") };
}

test("the job records each part: an unavailable storage, a silent mail server", async () => {
	const sockets: Socket[] = [];
	const silent = createServer((socket) => sockets.push(socket));
	await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
	const broken = await openShop({ SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` });
	const { db, jobs } = broken.shop;
	try {
		await deleteRows(db, "probes", "probe_days");
		await withoutStorage(async () => {
			await db.transaction().execute((trx) => jobs.send(trx, "measure-parts", {}));
			await vi.waitFor(async () => expect(await listProbes(broken)).toHaveLength(6), { timeout: scaledTimeout(20_000), interval: 25 });
		}, broken);
		expect(await failedParts(broken)).toEqual(["mail", "storage"]);
		expect(new Set((await listProbes(broken)).map(({ at }) => at.toISOString()))).toEqual(new Set(["2026-11-21T13:05:00.000Z"]));
	} finally {
		await broken.close();
		for (const socket of sockets) socket.destroy();
		silent.close();
	}
});

test("each interval has one measure, and its day counts it", async () => {
	const measureAt = (time: string) => {
		now = new Date(`2026-11-21T${time}Z`);
		return measureParts(shop.shop);
	};
	await measureAt("13:05:01");
	await withoutStorage(() => measureAt("13:09:00"));
	expect(await failedParts()).toEqual([]);
	await withoutStorage(() => measureAt("13:10:02"));
	await measureAt("13:15:01");
	await measureAt("13:20:01");
	const storage = (await listProbes()).filter(({ part }) => part === "storage");
	expect(storage.map(({ ok, changed }) => [ok, changed])).toEqual([
		[true, true],
		[false, true],
		[true, true],
		[true, false],
	]);
	const days = await shop.shop.db.selectFrom("probe_days").select(["part", "checks", "failed"]).execute();
	expect(new Map(days.map(({ part, checks, failed }) => [part, [checks, failed]]))).toEqual(
		new Map(partNames.map((part) => [part, [4, part === "storage" ? 1 : 0]])),
	);
});

test("before the first measure the page shows the current state; it has no script and is not cached", async () => {
	now = new Date("2026-11-21T14:07:00Z");
	const { answer, html, text, plain } = await page();
	expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
	expect(html).toMatch(/<h1[^>]*>État du service<\/h1>/);
	expect(plain).toContain("Tout fonctionne.");
	expect(plain).toContain("Mesure en cours… La première sera enregistrée dans les 5 minutes.");
	expect(plain.match(/Aucun contrôle enregistré pour l’instant\./g)).toHaveLength(6);
	expect(plain).toContain("Aucun incident relevé.");
	for (const part of [
		"Site et base de données",
		"Recherche d’entreprises",
		"Paiement par carte",
		"Traitement des commandes",
		"Documents et téléchargement",
		"E-mails",
	])
		expect(plain).toContain(`${part} Fonctionne`);
	expect(plain).toContain("la page de paiement de démonstration, qui n’encaisse rien");
	expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
	// set as French is
	expect(text).not.toMatch(/ [:;?!€%»]|« |'/);
});

test("a part that is down shows since which measure", async () => {
	now = new Date("2026-11-21T16:07:00Z");
	await write("2026-11-21T15:00:00Z", "storage", "++++++++++----");
	await withoutStorage(async () => {
		const { plain } = await page();
		expect(plain).toContain("Documents et téléchargement : indisponible depuis 16 h 50.");
		expect(plain).not.toContain("Tout fonctionne.");
		expect(plain).toContain("Documents et téléchargement Indisponible");
		expect(plain).toContain("Dernière mesure enregistrée : 17 h 05. Une mesure toutes les 5 minutes.");
		expect(plain).toContain("Documents et téléchargement depuis le 21 novembre 2026 à 16 h 50, en cours");
		expect(plain).toContain("Disponible lors de 10 des 14 contrôles faits depuis le 21 novembre 2026 (71,42 %).");
	});
});

test("a part that is down without a failed measure is down since now", async () => {
	now = new Date("2026-11-21T17:21:00Z");
	await withoutStorage(async () => expect((await page()).plain).toContain("Documents et téléchargement : indisponible depuis 18 h 21."));
});

test("the page shows incidents with their duration, missing measures, and never rounds away a failure", async () => {
	now = new Date("2026-11-21T20:02:00Z");
	await write("2026-11-21T18:00:00Z", "payment", `++---++-${"+".repeat(10)}     +-`);
	const { plain } = await page();
	expect(plain).toContain("Tout fonctionne.");
	// the last failure is over, as the part says itself
	expect(plain).toContain("Paiement par carte du 21 novembre 2026 à 21 h à 21 h 02, 2 min");
	expect(plain).toContain("du 21 novembre 2026 à 19 h 35 à 19 h 40, 5 min");
	expect(plain).toContain("du 21 novembre 2026 à 19 h 10 à 19 h 25, 15 min");
	expect(plain).toContain(
		"Disponible lors de 15 des 20 contrôles faits depuis le 21 novembre 2026 (75,00 %) ; 5 contrôles n’ont pas eu lieu.",
	);
	expect(plain).toContain("Disponible lors des 20 contrôles faits depuis le 21 novembre 2026 (100 %) ; 5 contrôles n’ont pas eu lieu.");
	await sql`update probe_days set checks = 288, failed = 0`.execute(shop.shop.db);
	await sql`
		insert into probe_days select part, day::date, 288, 0
		from unnest(${partNames}::text[]) part, generate_series('2026-08-01'::timestamp, '2026-11-20', '1 day') day`.execute(shop.shop.db);
	await sql`update probe_days set failed = 1 where part = 'payment' and day = '2026-11-20'`.execute(shop.shop.db);
	await sql`update probes set at = at - interval '100 days' where part = 'payment' and at < '2026-11-21T18:05:00Z'`.execute(shop.shop.db);
	const later = (await page()).plain;
	expect(later).toContain("Disponible lors de 25 919 des 25 920 contrôles des 90 derniers jours (99,99 %)");
	expect(later).toContain("Disponible lors des 25 920 contrôles des 90 derniers jours (100 %)");
});

test("the page shows the twenty latest of many incidents, and their number", async () => {
	now = new Date("2026-11-22T10:02:00Z");
	await write("2026-11-22T05:00:00Z", "search", "+-".repeat(25));
	const { plain } = await page();
	expect(plain.match(/du 22 novembre 2026 à \d+ h/g)).toHaveLength(20);
	expect(plain).toContain("Les 20 derniers incidents, sur 25 au total.");
});

test("a result older than the last measure does not end its incident", async () => {
	now = new Date("2026-11-22T11:04:55Z");
	expect((await page()).plain).toContain("Tout fonctionne.");
	await write("2026-11-22T11:00:00Z", "payment", "+-");
	now = new Date("2026-11-22T11:05:02Z");
	expect((await page()).plain).toContain("depuis le 22 novembre 2026 à 12 h 05, en cours");
});

test("many views of the page cause one probe, and another one after some time", async () => {
	now = new Date("2026-11-22T12:00:00Z");
	const before = await page();
	await withoutStorage(async () => {
		now = new Date("2026-11-22T12:00:09Z");
		for (const { plain } of await Promise.all(Array.from({ length: 5 }, page))) expect(plain).toBe(before.plain);
		now = new Date("2026-11-22T12:00:11Z");
		expect((await page()).plain).toContain("Documents et téléchargement : indisponible depuis 13 h.");
	});
});

test("an empty company base means that the search is down; /readyz has its five parts and no other", async () => {
	await sql`truncate companies`.execute(shop.shop.db);
	now = new Date("2026-11-22T13:00:00Z");
	await measureParts(shop.shop);
	expect(await failedParts()).toEqual(["search"]);
	await untilReadyzAnswers(shop.ask, 200, everyPartWorks);
});
