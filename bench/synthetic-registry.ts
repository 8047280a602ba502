/**
 * Makes SIRENE stock files of any size, for tests and benches:
 * `node bench/synthetic-registry.ts --units 1000000 --folder /tmp/registry [--seed 1] [--gzip]`.
 * Memory does not grow with the size but for what the garbage collector leaves lying about: 370 MB at 10 million units,
 * 200 MB (measured at 2 million) and no slower with `node --max-old-space-size=120 --max-semi-space-size=8`.
 *
 * Everybody in them is made up. Sole traders are first names and surnames drawn from the lists of made-up-registry/people.ts, or surnames
 * composed of syllables; companies are words of the embedded sample's names put together anew, and words composed of syllables.
 * A SIREN or a name that is somebody's is so by chance, or (names of companies) because it is a frequent one.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "./random.ts";
import { openLines } from "./synthetic-registry/csv-lines.ts";
import { establishmentMaker } from "./synthetic-registry/establishments.ts";
import { readSample } from "./synthetic-registry/sample.ts";
import { sirens } from "./synthetic-registry/sirens.ts";
import { unitMaker } from "./synthetic-registry/units.ts";

export interface RegistryOptions {
	/** Made if it is not there. */
	folder: string;
	/** How many legal units: 10 to 10 million. */
	units: number;
	/** The same seed and size make the same bytes; 1 if not given. */
	seed?: number;
	/** Write `.csv.gz`. */
	compress?: boolean;
}

export interface Registry {
	unitsFile: string;
	establishmentsFile: string;
	units: number;
	establishments: number;
}

/**
 * Writes `StockUniteLegale_utf8.csv` and `StockEtablissement_utf8.csv` (or `.csv.gz`): the official columns in the official order,
 * sorted by SIREN and SIRET, in constant memory.
 * @returns the paths, and how many rows each has besides its header.
 * @throws RangeError for more units than there are numbers for.
 */
export async function writeRegistry({ folder, units, seed = 1, compress = false }: RegistryOptions): Promise<Registry> {
	mkdirSync(folder, { recursive: true });
	const file = (name: string) => join(folder, `${name}_utf8.csv${compress ? ".gz" : ""}`);
	const unitsFile = file("StockUniteLegale");
	const establishmentsFile = file("StockEtablissement");
	const { headers, makeUnit, makeEstablishments } = makersFromSample();
	const random = seededRandom(seed);
	let establishments = 0;

	const unitLines = openLines(unitsFile, compress);
	const establishmentLines = openLines(establishmentsFile, compress);
	await unitLines.add(headers.units.join(","));
	await establishmentLines.add(headers.establishments.join(","));
	for (const numbered of sirens(units, seed)) {
		const { unit, line } = makeUnit(random, numbered);
		const { nic, lines } = makeEstablishments(random, unit);
		establishments += lines.length;
		// awaited only where there is something to wait for: a microtask for each row would cost more than the row
		const unitWait = unitLines.add(line(nic));
		if (unitWait) await unitWait;
		for (const establishmentLine of lines) {
			const wait = establishmentLines.add(establishmentLine);
			if (wait) await wait;
		}
	}
	await Promise.all([unitLines.close(), establishmentLines.close()]);
	return { unitsFile, establishmentsFile, units, establishments };
}

/** What the rows are made with; the sample itself goes out of memory. */
function makersFromSample() {
	const units = readSample("UniteLegale");
	const establishments = readSample("Etablissement");
	const { make: makeUnit, drawName } = unitMaker(units);
	return {
		headers: { units: units.header, establishments: establishments.header },
		makeUnit,
		makeEstablishments: establishmentMaker(establishments, drawName),
	};
}

if (import.meta.main) {
	const { values } = parseArgs({
		options: {
			units: { type: "string", default: "1000000" },
			folder: { type: "string" },
			seed: { type: "string", default: "1" },
			gzip: { type: "boolean", default: false },
		},
	});
	const units = Number(values.units);
	if (!values.folder || !Number.isSafeInteger(units) || units < 1) {
		console.error("usage: node bench/synthetic-registry.ts --units <number> --folder <folder> [--seed <number>] [--gzip]");
		process.exit(2);
	}
	const made = await writeRegistry({ folder: values.folder, units, seed: Number(values.seed), compress: values.gzip });
	console.log(`${made.unitsFile}: ${made.units} units`);
	console.log(`${made.establishmentsFile}: ${made.establishments} establishments`);
}
