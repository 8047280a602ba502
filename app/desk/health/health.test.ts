import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { maxBackupAgeMs } from "../../../server/database/last-backups.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { HealthFacts } from "../../web/status/health.ts";
import { createHealthReader } from "../../web/status/read-health.server.ts";
import { describeHealth } from "./describe-health.server.ts";
import type { ShopHealth } from "./shop-health.ts";

const now = new Date("2026-11-24T09:05:00Z");
const well: HealthFacts = {
	at: now,
	...{ database: true, jobs: true, storage: true, mail: true, payment: true },
	queue: { due: 0, minutes: null },
	mails: { unsent: 0, age: 0 },
	unannounced: 0,
	scheduleAge: 3,
	clockAhead: 30_000,
	backup: { state: "known", at: new Date("2026-11-24T02:00:00Z") },
};
const contact = "Ada Martin, 06 12 34 56 78";
const describeAs = (changes: Partial<HealthFacts>) => describeHealth({ ...well, ...changes }, contact);
const plain = (text: string | null | undefined) => (text ?? "").replaceAll("\u00a0", " ");

describe("the sentences", () => {
	test("a shop that works has figures and nothing to do", () => {
		const { problems, todo, rows } = describeAs({});
		expect([problems, todo]).toEqual([[], null]);
		expect(rows.map((row) => row.map(plain))).toEqual([
			["Dernière sauvegarde", "il y a 7 h 05"],
			["E-mails à envoyer", "aucun"],
			["Plus ancienne tâche en attente", "aucune"],
			["Relevé à", "10 h 05"],
		]);
	});

	test.each<[Partial<HealthFacts>, string]>([
		[{ database: false, queue: null, mails: null, unannounced: null, clockAhead: 60_000 }, "La base de données ne répond pas."],
		[{ jobs: false }, "Plus aucun programme ne traite les tâches."],
		[{ jobs: false, queue: { due: 3, minutes: 14 } }, "Une tâche attend depuis 14 min."],
		[{ jobs: false, queue: { due: 3, minutes: 10 } }, "Une tâche attend depuis 10 min."],
		[{ jobs: false, queue: { due: 3, minutes: 9 } }, "Plus aucun programme ne traite les tâches."],
		[{ jobs: false, scheduleAge: 120 }, "Plus aucun programme ne traite les tâches."],
		[{ jobs: false, scheduleAge: 121 }, "Les tâches programmées sont arrêtées."],
		[{ jobs: false, scheduleAge: -61 }, "Les tâches programmées sont arrêtées."],
		[{ jobs: false, scheduleAge: 121, queue: { due: 3, minutes: 14 } }, "Une tâche attend depuis 14 min."],
		[{ jobs: false, queue: null, scheduleAge: null }, "Plus aucun programme ne traite les tâches."],
		[{ mail: false, mails: { unsent: 3, age: 6000 } }, "Le serveur d’e-mails ne répond pas."],
		[{ storage: false }, "Les documents ne peuvent être ni enregistrés ni lus."],
		[{ mail: false }, "Le serveur d’e-mails ne répond pas."],
		[{ payment: false }, "Le prestataire de paiement ne répond pas."],
		[{ unannounced: 1 }, "Le prestataire de paiement n’annonce plus les paiements."],
		[{ payment: false, unannounced: 1 }, "Le prestataire de paiement ne répond pas."],
		[{ clockAhead: 30_001 }, "L’horloge du serveur avance de 30 s."],
		[{ clockAhead: -30_001 }, "L’horloge du serveur retarde de 30 s."],
		[{ clockAhead: 59_400 }, "L’horloge du serveur avance de 59 s."],
		[{ clockAhead: -400_000 }, "L’horloge du serveur retarde de 7 min."],
		[{ mails: { unsent: 1, age: 600 } }, "Un e-mail attend depuis 10 min."],
		[{ mails: { unsent: 12, age: 4000 } }, "12 e-mails attendent depuis 1 h 06."],
	])("%j: one problem, and whom to call", (changes, title) => {
		const { problems, todo } = describeAs(changes);
		expect(problems.map((problem) => plain(problem.title))).toEqual([title]);
		expect(problems[0]?.text).not.toBe("");
		expect(todo).toBe(`Si cela dure plus de dix minutes, appelez ${contact}.`);
	});

	test.each<[HealthFacts["backup"], string]>([
		[{ state: "unknown" }, "La boutique ne connaît aucune sauvegarde."],
		[{ state: "unreadable" }, "Le dossier des sauvegardes ne peut pas être lu."],
		[{ state: "failing" }, "La sauvegarde échoue."],
		[{ state: "known", at: null }, "Aucune sauvegarde n’a encore été faite."],
		[{ state: "known", at: new Date("2026-11-23T02:00:00Z") }, "La dernière sauvegarde a 1 j 7 h."],
	])("backup %j", (backup, title) => {
		const { problems, todo } = describeHealth({ ...well, backup }, undefined);
		expect(problems.map((problem) => plain(problem.title))).toEqual([title]);
		expect(todo).toBe("Prévenez la personne qui s’occupe du serveur dans la journée.");
	});

	test.each<[HealthFacts["backup"], string]>([
		[{ state: "untracked" }, "non suivie dans la démonstration"],
		[{ state: "unknown" }, "inconnue"],
		[{ state: "unreadable" }, "illisible"],
		[{ state: "failing" }, "en échec"],
		[{ state: "known", at: null }, "aucune"],
		[{ state: "known", at: new Date(now.getTime() - maxBackupAgeMs) }, "il y a 1 j 2 h"],
	])("the row of a backup %j is « %s »", (backup, text) => {
		const { rows, problems } = describeAs({ backup });
		expect(plain(rows[0]?.[1])).toBe(text);
		if (backup.state === "known" && backup.at) expect(problems).toEqual([]);
	});

	test.each<[HealthFacts["queue"], HealthFacts["mails"], string, string]>([
		[null, null, "inconnu", "inconnue"],
		[{ due: 0, minutes: null }, { unsent: 0, age: 0 }, "aucun", "aucune"],
		[{ due: 1, minutes: 0.9 }, { unsent: 1, age: 1 }, "1", "moins d’une minute"],
		[{ due: 1, minutes: 1 }, { unsent: 2, age: 1 }, "2", "1 min"],
		[{ due: 1, minutes: 2 }, { unsent: 2, age: 1 }, "2", "2 min"],
	])("the rows of what waits: %j, %j", (queue, mails, unsent, oldest) => {
		expect(
			describeAs({ queue, mails })
				.rows.slice(1, 3)
				.map((row) => plain(row[1])),
		).toEqual([unsent, oldest]);
	});

	test("a backup at risk is told beside what has stopped, and who is called is named for both", () => {
		const backup = { state: "failing" } as const;
		const { problems, todo } = describeAs({ payment: false, backup });
		expect([problems.length, todo]).toEqual([2, `Si cela dure plus de dix minutes, appelez ${contact}.`]);
		expect(describeAs({ database: false, queue: null, mails: null, backup }).problems).toHaveLength(1);
		expect(describeAs({ backup }).todo).toBe(`Appelez ${contact} dans la journée.`);
	});

	test("e-mails that have just been written, a demo without backups, and a clock that is right or unknown are no problem", () => {
		for (const clockAhead of [-30_000, 0, null]) expect(describeAs({ clockAhead }).problems).toEqual([]);
		expect(describeAs({ mails: { unsent: 40, age: 599 }, backup: { state: "untracked" } }).problems).toEqual([]);
	});
});

describe("a shop", () => {
	let shop: TestShop;
	let ada: TestOperator;
	const backups = mkdtempSync(join(tmpdir(), "backups-"));
	beforeAll(async () => {
		shop = await createTestShop({ variables: { LOG_LEVEL: "silent", BACKUP_DIR: backups, TECHNICAL_CONTACT: contact } });
		ada = await createOperator(shop, "Ada", ["serve"]);
	});
	afterAll(async () => {
		await shop?.close();
		rmSync(backups, { recursive: true });
	});

	/** The titles of what a new measure finds. */
	const measure = async (changes: Partial<Parameters<typeof createHealthReader>[0]> = {}): Promise<string[]> => {
		const read = createHealthReader({ ...shop.shop, ...changes });
		const facts = await vi.waitFor(async () => (await read()) ?? Promise.reject(new Error("no result yet")), scaledTimeout(10_000));
		return describeHealth(facts, contact).problems.map(({ title }) => plain(title));
	};

	test("tells every operator, in the head of each page and by itself", async () => {
		writeFileSync(join(backups, "shop.dump"), "a dump");
		await expect.poll(async () => (await (await ada.ask("/bureau/etat")).json()) as ShopHealth | null).not.toBeNull();
		const health = (await (await ada.ask("/bureau/etat")).json()) as ShopHealth;
		expect(health.problems).toEqual([]);
		expect(health.rows.map(([label]) => label)).toContain("Dernière sauvegarde");
		expect(await (await ada.ask("/bureau/commandes")).text()).toContain("Tout fonctionne");
	});

	test("is not told to who is not signed in", async () => {
		const answer = await shop.ask("/bureau/etat", { redirect: "manual" });
		expect([answer.status, answer.headers.get("location")]).toEqual([302, "/bureau/connexion?vers=%2Fbureau%2Fetat"]);
	});

	test("an old backup, and a folder that is gone", async () => {
		const file = join(backups, "shop.dump");
		writeFileSync(file, "a dump");
		const old = Date.now() / 1000 - 30 * 3600;
		utimesSync(file, old, old);
		expect(await measure()).toEqual(["La dernière sauvegarde a 1 j 6 h."]);
		const environment = { ...shop.shop.environment, backupDir: join(backups, "away") };
		expect(await measure({ environment })).toEqual(["Le dossier des sauvegardes ne peut pas être lu."]);
		rmSync(file);
		expect(await measure()).toEqual(["Aucune sauvegarde n’a encore été faite."]);
		writeFileSync(file, "a dump");
	});

	test("an e-mail that waits", async () => {
		const created_at = new Date(Date.now() - 20 * 60_000);
		const order = await insertOrder(shop.shop.db, { created_at });
		await shop.shop.db.insertInto("mails").values({ id: crypto.randomUUID(), order_id: order.id, kind: "late", created_at }).execute();
		expect(await measure()).toEqual(["Un e-mail attend depuis 20 min."]);
		await shop.shop.db.deleteFrom("mails").execute();
	});

	test("a part that is down", async () => {
		const prober = {
			probe: async () => {
				const result = await shop.shop.prober.probe();
				return { ...result, parts: { ...result.parts, payment: { ok: false, ms: 2000 } } };
			},
		};
		expect(await measure({ prober })).toEqual(["Le prestataire de paiement ne répond pas."]);
	});

	test("a page does not wait for a slow part", async () => {
		const prober = { probe: () => new Promise<never>(() => {}) };
		expect(await createHealthReader({ ...shop.shop, prober })()).toBeNull();
	});
});
