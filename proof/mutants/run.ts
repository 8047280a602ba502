// npm run mutants -- [<folder or file>…] [--sample <n> | --all] [--seed <word>] [--tests <folder or file>,…]
// Puts small bugs into the code, one at a time, and lists those that no test notices.
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { concepts, listOwnFiles } from "./concepts.ts";
import { createCopies } from "./copies.ts";
import { drawSample, findMutants, findOutdatedRows } from "./find-mutants.ts";
import type { NamedMutant } from "./instrument.ts";
import { tryMutants } from "./try-mutants.ts";

/** The share that must be noticed: docs/testing.md. */
const goal = 0.92;

const { values: options, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: "string", default: "40" },
		all: { type: "boolean", default: false },
		seed: { type: "string", default: "" },
		tests: { type: "string" },
	},
});
const started = performance.now();
const progress = (text: string) => console.error(`… ${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

for (const { file, was } of findOutdatedRows()) console.error(`proof/mutants/accepted.ts has an outdated row for ${file}: ${was}`);

const targets = positionals.length > 0 ? positionals : concepts.map(({ folder }) => folder);
const chosen = new Map(
	targets.map((target) => {
		const found = findMutants(target);
		const sample = options.all ? found : drawSample(found, Number(options.sample), options.seed);
		if (sample.length === 0) throw new Error(`${target} has no mutants`);
		return [target, sample];
	}),
);
progress(`${[...chosen.values()].flat().length} mutants: copying and building the shop`);
const copies = await createCopies([...chosen.values()].flat());
try {
	for (const [target, mutants] of chosen) {
		progress(`${target}: ${mutants.length} mutants`);
		const unnoticed = await tryMutants(copies, mutants, listConceptTests(target), (text) => progress(`${target}: ${text}`));
		const share = 1 - unnoticed.length / mutants.length;
		console.log(`${target}: ${mutants.length - unnoticed.length} of ${mutants.length} noticed, ${(share * 100).toFixed(1)} %`);
		for (const mutant of unnoticed) console.log(`  ${formatMutant(mutant)}`);
		if (share < goal) process.exitCode = 1;
	}
} finally {
	await copies.close();
}

/** The test files of a concept. */
function listConceptTests(target: string): string[] {
	if (options.tests) return options.tests.split(",").flatMap(listTestFiles);
	const own = statSync(target).isFile() ? dirname(target) : target;
	const around = concepts.filter((concept) => `${own}/`.startsWith(`${concept.folder}/`));
	const { folder = own, otherTests = [] } = around.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? {};
	return [folder, ...otherTests].flatMap(listTestFiles);
}

function listTestFiles(path: string): string[] {
	return statSync(path).isFile() ? [path] : listOwnFiles(path, "*.test.ts");
}

function formatMutant({ file, start, kind, was, became }: NamedMutant): string {
	const line = readFileSync(file, "utf8").slice(0, start).split("\n").length;
	return `${file}:${line} ${kind}: ${shorten(was)} → ${shorten(became)}`;
}

function shorten(code: string): string {
	const oneLine = code.replaceAll(/\s+/g, " ");
	return oneLine.length > 160 ? `${oneLine.slice(0, 80)}…${oneLine.slice(-80)}` : oneLine;
}
