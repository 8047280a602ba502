import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { type Accepted, accepted } from "./accepted.ts";
import type { NamedMutant } from "./instrument.ts";
import { type Mutant, mutantsOf } from "./operators.ts";

/** Not tried: tests, what runs in a page only (`use-….ts`), and how the page of an invoice is laid out. */
const notTried = /\.test\.|\.gen\.|\/use-|\/invoice-pdf\./;

/**
 * Every small bug that can be put into a folder or a file, but for the accepted ones.
 * What is drawn (`.tsx`) is the browser's to test.
 */
export function findMutants(path: string): NamedMutant[] {
	const files = statSync(path).isFile() ? [path] : globSync(`${path}/**/*.ts`).filter((file) => !notTried.test(file));
	return files.sort().flatMap((file) =>
		mutantsOf(file, readFileSync(file, "utf8"))
			.filter((mutant) => !accepted.some((row) => row.file === file && fits(row, mutant)))
			.map((mutant) => ({ ...mutant, file, id: hash(file, mutant.kind, `${mutant.start}`, mutant.became) })),
	);
}

/**
 * Some of them, spread evenly over the kinds: the same ones for the same code, wherever in its file it stands.
 * @param seed any word: each gives another sample.
 */
export function sampleOf(mutants: readonly NamedMutant[], size: number, seed = ""): NamedMutant[] {
	const order = new Map(mutants.map((mutant) => [mutant, hash(seed, mutant.file, mutant.kind, mutant.was, mutant.became)]));
	const byHash = mutants.toSorted((a, b) => ((order.get(a) ?? "") < (order.get(b) ?? "") ? -1 : 1));
	const kinds = [...Map.groupBy(byHash, ({ kind }) => kind).values()];
	return kinds
		.flatMap((ofKind) => ofKind.map((mutant, turn) => ({ mutant, turn })))
		.sort((a, b) => a.turn - b.turn)
		.slice(0, size)
		.map(({ mutant }) => mutant);
}

/** The rows of the accepted that fit fewer places than they say, as their code is gone, or more, which nobody has looked at. */
export function misfits(): Accepted[] {
	return accepted.filter((row) => {
		const source = existsSync(row.file) ? readFileSync(row.file, "utf8") : "";
		const found = mutantsOf(row.file, source).filter((mutant) => fits(row, mutant));
		return new Set(found.map(({ start }) => start)).size !== (row.places ?? 1);
	});
}

const fits = (row: Accepted, { was, became }: Mutant) => row.was === was && (row.became ?? became) === became;

function hash(...parts: string[]): string {
	return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}
