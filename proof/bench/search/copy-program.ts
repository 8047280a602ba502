// The baseline of an import: copies the files UNITS and ESTABLISHMENTS, one after the other, into text tables without an index.
// Prints the milliseconds, the rows and the highest memory.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { measureUsage } from "../../../test/report-usage.ts";

const { DATABASE_URL: connectionString, UNITS = "", ESTABLISHMENTS = "" } = process.env;

async function copy(table: string, file: string): Promise<number> {
	const client = new pg.Client({ connectionString });
	await client.connect();
	const header = await readFirstLine(file);
	await client.query(`create table ${table} (${header.replace(/\w+/g, '"$&" text')})`);
	const target = client.query(from(`copy ${table} from stdin csv header`));
	await pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), target);
	await client.end();
	return target.rowCount;
}

async function readFirstLine(file: string): Promise<string> {
	for await (const line of createInterface({ input: createReadStream(file, { end: 10_000 }) })) return line;
	throw new Error(`${file} is empty`);
}

const started = performance.now();
const rows = (await copy("copied_units", UNITS)) + (await copy("copied_establishments", ESTABLISHMENTS));
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, rows, peak: measureUsage().peak }));
