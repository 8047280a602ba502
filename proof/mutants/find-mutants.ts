import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type Accepted, accepted } from "./accepted.ts";
import { listOwnFiles } from "./concepts.ts";
import type { NamedMutant } from "./instrument.ts";
import { listMutants, type Mutant } from "./operators.ts";

/** Not mutated: tests, React hooks (`use-….ts`) and the layout of the invoice PDF. */
const excluded = /\.test\.|\.gen\.|\/use-|\/invoice-pdf\./;

/** Scripts that only a browser runs, tested there as components are. Each has its own row, so that no pattern leaves out another file. */
export const browserScripts: readonly string[] = [
	"app/entry.on-demand.ts",
	"app/checkout/form/email-correction.ts",
	"app/checkout/form/fields/fill-fields.ts",
	"app/ui/foreign-changes.ts",
	"app/ui/use-hydrated.ts",
];

/**
 * Lists all mutants of a folder or a file, except for accepted ones.
 * Components (`.tsx`) and scripts of the browser are tested in the browser instead; those of such a file are listed when it is named.
 */
export function findMutants(path: string): NamedMutant[] {
	const isTried = (file: string) => !excluded.test(file) && !browserScripts.includes(file);
	const files = statSync(path).isFile() ? [path] : listOwnFiles(path, "*.ts").filter(isTried);
	return files.sort().flatMap((file) =>
		listMutants(file, readFileSync(file, "utf8"))
			.filter((mutant) => !accepted.some((row) => row.file === file && matches(row, mutant)))
			.map((mutant) => ({ ...mutant, file, id: hash(file, mutant.kind, `${mutant.start}`, mutant.became) })),
	);
}

/**
 * Draws a sample, spread evenly over the kinds. The same code gives the same sample, wherever it stands in its file.
 * @param seed any word: each gives another sample.
 */
export function drawSample(mutants: readonly NamedMutant[], size: number, seed = ""): NamedMutant[] {
	const order = new Map(mutants.map((mutant) => [mutant, hash(seed, mutant.file, mutant.kind, mutant.was, mutant.became)]));
	const byHash = mutants.toSorted((a, b) => ((order.get(a) ?? "") < (order.get(b) ?? "") ? -1 : 1));
	const kinds = [...Map.groupBy(byHash, ({ kind }) => kind).values()];
	return kinds
		.flatMap((sameKind) => sameKind.map((mutant, turn) => ({ mutant, turn })))
		.sort((a, b) => a.turn - b.turn)
		.slice(0, size)
		.map(({ mutant }) => mutant);
}

/** Lists the accepted rows whose code is found less often than accepted (removed) or more often (not reviewed). */
export function findOutdatedRows(): Accepted[] {
	return accepted.filter((row) => {
		const source = existsSync(row.file) ? readFileSync(row.file, "utf8") : "";
		const found = listMutants(row.file, source).filter((mutant) => matches(row, mutant));
		return new Set(found.map(({ start }) => start)).size !== (row.places ?? 1);
	});
}

const matches = (row: Accepted, { was, became }: Mutant) => row.was === was && (row.became ?? became) === became;

function hash(...parts: string[]): string {
	return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}
