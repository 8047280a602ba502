import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../test/random.ts";
import { openLines } from "./synthetic-registry/csv-lines.ts";
import { type KnownUnit, listKnownUnits } from "./synthetic-registry/known-companies.ts";
import { readSample } from "./synthetic-registry/sample.ts";
import { listSirens } from "./synthetic-registry/sirens.ts";
import { unitMaker } from "./synthetic-registry/units.ts";

export interface RegistryOptions {
	/** Created if it does not exist. */
	folder: string;
	/** Number of legal units, up to 10 million. */
	units: number;
	/** The same seed and size give the same bytes. */
	seed?: number;
	/** Write `.csv.gz`. */
	compress?: boolean;
	/** Add the companies that relevance is judged with: the embedded sample, and those of test/fixtures/relevance. */
	known?: boolean;
}

export interface Registry {
	unitsFile: string;
	establishmentsFile: string;
	units: number;
	establishments: number;
}

/**
 * Writes `StockUniteLegale_utf8.csv` and `StockEtablissement_utf8.csv` (or `.csv.gz`) for tests and benches: the official columns, sorted
 * by SIREN and SIRET, in constant memory. Rows are drawn from the embedded sample; SIRENs and most names are generated.
 * @throws RangeError for more units than there are SIRENs.
 */
export async function writeRegistry({ folder, units, seed = 1, compress = false, known = false }: RegistryOptions): Promise<Registry> {
	mkdirSync(folder, { recursive: true });
	const [unitsFile, establishmentsFile] = ["StockUniteLegale", "StockEtablissement"].map((name) =>
		join(folder, `${name}_utf8.csv${compress ? ".gz" : ""}`),
	) as [string, string];
	const samples = { units: readSample("UniteLegale"), establishments: readSample("Etablissement") };
	const makeUnit = unitMaker(samples);
	const random = seededRandom(seed);
	const knownUnits = known ? listKnownUnits(samples) : [];
	const taken = new Set(knownUnits.map(({ siren }) => siren));
	let count = 0;
	let establishments = 0;

	const unitLines = openLines(unitsFile, compress);
	const establishmentLines = openLines(establishmentsFile, compress);
	await unitLines.add(samples.units.header.join(","));
	await establishmentLines.add(samples.establishments.header.join(","));
	const add = async ({ unit, lines }: { unit: string; lines: string[] }) => {
		count++;
		establishments += lines.length;
		// awaited only when the disk is behind: a microtask for each row would cost more than the row
		const unitWait = unitLines.add(unit);
		if (unitWait) await unitWait;
		for (const line of lines) {
			const wait = establishmentLines.add(line);
			if (wait) await wait;
		}
	};
	let next = 0;
	for (const siren of listSirens(units, random, taken)) {
		for (; (knownUnits[next]?.siren ?? siren) < siren; next++) await add(knownUnits[next] as KnownUnit);
		await add(makeUnit(random, siren));
	}
	for (; next < knownUnits.length; next++) await add(knownUnits[next] as KnownUnit);
	await Promise.all([unitLines.close(), establishmentLines.close()]);
	return { unitsFile, establishmentsFile, units: count, establishments };
}
