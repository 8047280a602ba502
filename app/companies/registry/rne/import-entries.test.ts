import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { createResponse } from "../../../../test/fixtures/rne.ts";
import { zip } from "../../../../test/zip.ts";
import { importRegistrations } from "./import-registrations.server.ts";

// What becomes of entries that say little, or cannot be read, and of files in each format. Every test begins without what it imports.
let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "entries-"));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});

const siren = "100000003";
const readRegistration = async (siren: string) =>
	(
		await sql<{
			row: string;
		}>`select concat_ws(' ', registered_on, removed_on, capital, capital_currency, duration_years, single_partner, as_of) as row
			from company_registrations where siren = ${siren}`.execute(db)
	).rows[0]?.row;

/** Imports responses of the RNE's API as one file. */
async function importResponses(...responses: object[]) {
	writeFileSync(path("responses.json"), JSON.stringify(responses, null, 2));
	return importRegistrations(connection, [path("responses.json")]);
}

describe("a field that an entry does not say", () => {
	const readRow = () => readRegistration(siren);
	const forget = () => sql`delete from company_registrations where siren = ${siren}`.execute(db);
	const whole = createResponse(
		siren,
		"2026-03-01",
		{ montantCapital: 10_000, deviseCapital: "EUR", duree: 99 },
		{ entreprise: { dateImmat: "2010-01-15" } },
	);
	const partial = createResponse(siren, "2026-03-03", {}, { entreprise: { siren } });

	test("stays as it is known, in one file and across files, in any order", async () => {
		const known = "2010-01-15 10000.00 EUR 99 2026-03-01";
		for (const files of [[[whole, partial]], [[partial, whole]], [[whole], [partial]], [[partial], [whole]]]) {
			await forget();
			for (const file of files) await importResponses(...file);
			expect(await readRow()).toBe(known);
		}
		expect(await importResponses(partial)).toMatchObject({ kept: 0, skipped: { older: 1 } });
	});

	test("is filled by an older entry, which changes nothing else", async () => {
		await forget();
		await importResponses(createResponse(siren, "2026-03-03", { montantCapital: 20_000, deviseCapital: "EUR" }));
		expect(await importResponses(whole)).toMatchObject({ kept: 1, skipped: { older: 0 } });
		expect(await importResponses(createResponse(siren, "2026-02-28", { montantCapital: 1 }))).toMatchObject({
			kept: 0,
			skipped: { older: 1 },
		});
		expect(await readRow()).toBe("2010-01-15 20000.00 EUR 99 2026-03-03");
	});

	test("of a row that was stored before fields had their own day, has the day of the row", async () => {
		await forget();
		await importResponses(whole);
		await sql`update company_registrations set registered_on_as_of = null, removed_on_as_of = null, capital_as_of = null,
			duration_years_as_of = null, single_partner_as_of = null where siren = ${siren}`.execute(db);
		const older = createResponse(siren, "2026-02-28", { montantCapital: 1, deviseCapital: "EUR", duree: 1 });
		expect(await importResponses(older)).toMatchObject({ kept: 0 });
		await importResponses(createResponse(siren, "2026-03-03", { duree: 50 }));
		expect(await importResponses(older)).toMatchObject({ kept: 0 });
		expect(await readRow()).toBe("2010-01-15 10000.00 EUR 50 2026-03-03");
	});

	test("of a row that is older than the field is filled by an older entry", async () => {
		await forget();
		await importResponses(whole);
		await sql`update company_registrations set registered_on_as_of = null, removed_on_as_of = null, capital_as_of = null,
			duration_years_as_of = null where siren = ${siren}`.execute(db);
		const description = { duree: 50, objet: "Le commerce", dateClotureExerciceSocial: "3006", dateFinExistence: "2109-01-15" };
		await importResponses(createResponse(siren, "2026-02-28", description));
		expect(await readRow()).toBe("2010-01-15 10000.00 EUR 99 2026-03-01");
		const { rows } = await sql`select purpose, year_end, ends_in from company_registrations where siren = ${siren}`.execute(db);
		expect(rows).toEqual([{ purpose: "Le commerce", year_end: 630, ends_in: 2109 }]);
	});

	test("a capital that becomes variable is deleted, with its currency", async () => {
		await forget();
		await importResponses(whole, createResponse(siren, "2026-03-02", { capitalVariable: true, deviseCapital: "EUR" }));
		expect(await readRow()).toBe("2010-01-15 99 2026-03-02");
		await importResponses(createResponse(siren, "2026-03-01", { montantCapital: 5, deviseCapital: "EUR" }));
		expect(await readRow()).toBe("2010-01-15 99 2026-03-02");
	});

	test("the day of data in Paris is shown, and the instant decides", async () => {
		await forget();
		const at = (updatedAt: string, duree: number) => ({ ...createResponse(siren, "2026-03-01", { duree }), updatedAt });
		await importResponses(at("2026-03-01T23:30:00Z", 50), at("2026-03-01T22:59:00Z", 40));
		expect(await readRow()).toBe("50 2026-03-02");
		await importResponses(at("2026-03-02T00:00:00+01:00", 30));
		expect(await readRow()).toBe("50 2026-03-02");
	});

	test("entries give the same in any order, and in any number of files", async () => {
		const entry = fc.record({
			// no two of the same instant: among those, the last one read wins
			description: fc.record(
				{
					duree: fc.constantFrom(null, 50, 99),
					montantCapital: fc.constantFrom(null, 1, 2),
					capitalVariable: fc.boolean(),
					deviseCapital: fc.constantFrom("EUR", "FRF", "?"),
				},
				{ requiredKeys: [] },
			),
			entreprise: fc.record(
				{ dateImmat: fc.constantFrom("2010-01-15", "2011-01-15", ""), indicateurAssocieUnique: fc.boolean() },
				{ requiredKeys: [] },
			),
			person: fc.constantFrom({}, {}, { detailCessationEntreprise: { dateRadiation: "2024-05-02" } }, { detailCessationEntreprise: null }),
			formality: fc.constantFrom({}, {}, {}, { diffusionINSEE: "N" }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(entry, { minLength: 1, maxLength: 6 }),
				fc.infiniteStream(fc.nat()),
				fc.infiniteStream(fc.boolean()),
				async (entries, ranks, cuts) => {
					const responses = entries.map(({ description, ...more }, index) =>
						createResponse(siren, `2026-03-${String(index + 1).padStart(2, "0")}`, description, more),
					);
					await forget();
					await importResponses(...responses);
					const expected = await readRow();
					const shuffled = responses.map((response) => ({ response, rank: ranks.next().value })).toSorted((a, b) => a.rank - b.rank);
					const files: object[][] = [[]];
					for (const { response } of shuffled) {
						if (cuts.next().value) files.push([]);
						files.at(-1)?.push(response);
					}
					await forget();
					for (const file of files) await importResponses(...file);
					expect(await readRow()).toBe(expected);
				},
			),
			{ numRuns: 15 },
		);
	});
});

describe("an entry that cannot be read", () => {
	const good = (index: number) => createResponse(String(300_000_000 + index), "2026-08-01", { duree: 50 });
	const bad = { ...good(0), formality: { ...good(0).formality, siren: "30000000" } };

	test("is counted, named and skipped", async () => {
		const summary = await importResponses(
			good(1),
			bad,
			createResponse("300000003", "2026-08-01", { montantCapital: "10 000,00" }),
			createResponse("000000000", "2026-08-01", { duree: 1 }),
			good(4),
		);
		expect(summary).toMatchObject({ read: 5, kept: 2, skipped: { faulty: 3, older: 0 } });
		expect(summary.faults).toEqual([
			expect.stringMatching(/^responses\.json, line \d+: formality\.siren: expected nine digits that are not all zero$/),
			expect.stringMatching(/^responses\.json, line \d+: formality\.content\.personneMorale\.identite\.description\.montantCapital: /),
			expect.stringMatching(/: formality\.siren: /),
		]);
		expect(summary.faults.join()).not.toContain("10 000");
	});

	test.each([
		[100, 0, true],
		[101, 0, false],
		[101, 10_100, true],
		[103, 10_100, false],
	])("stops the import beyond a hundred and one in a hundred: %s beside %s more", async (faulty, more, isImported) => {
		const entries = [good(1), ...Array.from({ length: faulty }, () => bad), ...Array.from({ length: more }, () => good(2))];
		writeFileSync(
			path("responses.json"),
			[...entries.slice(0, 1), ...entries.slice(1 + faulty), ...entries.slice(1, 1 + faulty)]
				.map((entry) => `${JSON.stringify(entry)}\n`)
				.join(""),
		);
		const result = importRegistrations(connection, [path("responses.json")]);
		if (isImported) expect(await result).toMatchObject({ skipped: { faulty } });
		else
			await expect(result).rejects.toThrow(
				/^responses\.json cannot be imported: line \d+, \d+ entries so far are no registrations, such as line \d+: formality\.siren: /,
			);
	});
});

describe("a file is read", () => {
	const entries = ["100000003", "100000005"].map((siren) => createResponse(siren, "2026-09-01", { duree: 42 }));
	const list = JSON.stringify(entries, null, 1);
	const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
	const utf16 = (text: string, order: "le" | "be") => {
		const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
		return order === "le" ? bytes : bytes.swap16();
	};
	test.each<[what: string, name: string, content: string | Buffer]>([
		["as a list", "a.json", list],
		["with a byte order mark", "a.json", `\ufeff${list}`],
		["as JSON lines", "a.jsonl", lines],
		["as JSON lines of Windows with a byte order mark", "a.json", `\ufeff${lines.replace("\n", "\r\n\r\n")}\r\n`],
		["in the results of an API", "a.json", JSON.stringify({ results: entries })],
		["in indented results with a count before them", "a.json", JSON.stringify({ total: 2, results: entries }, null, 2)],
		["in data", "a.json", JSON.stringify({ data: entries })],
		["as one entry in a line", "a.json", JSON.stringify(entries[0])],
		["compressed", "a.json.gz", gzipSync(list)],
		["compressed under another name", "a.json", gzipSync(lines)],
		["in a zip", "a.zip", zip("stock.json", Buffer.from(list))],
		["in a zip under another name", "a.data", zip("STOCK.JSON", Buffer.from(lines))],
		["in UTF-16", "a.json", utf16(list, "le")],
		["in UTF-16 of the other order", "a.json", utf16(lines, "be")],
		["as one entry in several lines", "a.json", `${JSON.stringify(entries[0], null, 2)}\n`],
		[
			"as entries of several lines, one after another",
			"a.json",
			`\ufeff${entries.map((entry) => JSON.stringify(entry, null, "\t")).join("\r\n")}`,
		],
	])("%s", async (_, name, content) => {
		await sql`delete from company_registrations where siren in ('100000003', '100000005')`.execute(db);
		writeFileSync(path(name), content);
		await importRegistrations(connection, [path(name)]);
		expect(await readRegistration("100000003")).toBe("42 2026-09-01");
	});
});
