import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../../server/observability/log.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { listDeskLog } from "./desk-log.store.server.ts";
import { runRecorded } from "./run-recorded.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());

const record = <Result extends { ok: boolean }>(name: string, subject: string | null, run: () => Promise<Result>) => {
	const context = { db: database.db, now: () => new Date(), log: createLog("silent") };
	return runRecorded(context, { verb: "note", subject, actor: { id: null, name, origin: "test" } }, run);
};

const listOutcomes = async (who: string) =>
	(await database.db.selectFrom("desk_log").select("outcome").where("who", "=", who).orderBy("id").execute()).map(({ outcome }) => outcome);

test("a run is recorded before and after, with what it threw still thrown", async () => {
	const broken = record("Ada", null, async () => {
		expect(await listOutcomes("Ada")).toEqual(["begun"]);
		throw new Error("no printer");
	});
	await expect(broken).rejects.toThrow("no printer");
	expect(await listOutcomes("Ada")).toEqual(["begun", "failed"]);
	await record("Bob", null, async () => ({ ok: true }));
	await record("Bob", null, async () => ({ ok: false }));
	expect(await listOutcomes("Bob")).toEqual(["begun", "done", "begun", "refused"]);
});

test("the trail is read newest first, by who, by what and from a row on, each run once", async () => {
	for (const subject of ["a", "b", "c"]) await record("Eve", subject, async () => ({ ok: true }));
	await record("Gus", "a", async () => ({ ok: true }));
	const list = async (...[limit, filter]: [number, Parameters<typeof listDeskLog>[2]]) =>
		(await listDeskLog(database.db, limit, filter)).map(({ who, subject, outcome }) => `${who} ${subject} ${outcome}`);
	expect(await list(9, { who: "Eve" })).toEqual(["Eve c done", "Eve b done", "Eve a done"]);
	expect(await list(2, { who: "Eve" })).toEqual(["Eve c done", "Eve b done"]);
	expect(await list(9, { subject: "a" })).toEqual(["Gus a done", "Eve a done"]);
	expect(await list(9, { subject: "a", who: "Gus" })).toEqual(["Gus a done"]);
	const [newest] = await listDeskLog(database.db, 1, { who: "Eve" });
	expect(await list(9, { who: "Eve", before: newest?.id ?? null })).toEqual(["Eve b done", "Eve a done"]);
});
