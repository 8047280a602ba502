import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Figure, Measured, Table } from "./bench.ts";
import { figure } from "./percentiles.ts";

/** What the figures were made on. */
export function machine(): string {
	const [load = 0] = loadavg();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${memory} GB, load ${load.toFixed(1)} at the start; Node ${process.version}`;
}

const ratio = ({ value, bare }: Figure) => (bare === undefined ? "" : `×${figure(value / bare)}`);
const verdict = ({ value, goal, atLeast }: Figure) => ((atLeast ? value >= goal : value <= goal) ? "met" : "MISSED");
const amount = (value: number, { unit }: Figure) => (unit === "/s" ? `${figure(value)}/s` : `${figure(value)} ${unit}`.trim());
const bareLimit = (row: Figure) => (row.bare === undefined ? [] : [`${amount(row.bare, row)}: ${row.bareWhat}`]);
const goalOf = (row: Figure) => `${row.atLeast ? "≥" : "≤"} ${amount(row.goal, row)}`;

/** What no machine is slow enough to explain. */
export function brokenIn({ figures, broken = [] }: Measured): string[] {
	const absurd = figures.flatMap((row) => {
		if (row.bare === undefined) return [];
		const worse = row.atLeast ? row.bare / row.value : row.value / row.bare;
		const isAbsurd = !(worse > 0 && worse <= row.largestRatio);
		return isAbsurd ? [`${row.what}: ${amount(row.value, row)} is not within ×${row.largestRatio} of its bare limit`] : [];
	});
	return [...absurd, ...broken];
}

/** For the end of a longer output. */
export function asLine(name: string, seconds: number, { figures }: Measured): string {
	return `bench ${name}, ${seconds.toFixed(0)} s: ${figures.map((row) => `${row.what} ${amount(row.value, row)}`).join(" · ")}`;
}

/** For the terminal: ratios first, as they say most on a machine that others use too. */
export function asText(machineLine: string, { setting, figures, tables = [] }: Measured): string {
	return [
		machineLine,
		...setting,
		"",
		...figures.flatMap((row) => [
			`${ratio(row).padEnd(7)} ${row.what}: ${amount(row.value, row)} (goal ${goalOf(row)}: ${verdict(row)})`,
			...bareLimit(row).map((line) => `        bare limit ${line}`),
			...row.details.map((line) => `        ${line}`),
		]),
		...tables.flatMap(tableAsText),
	].join("\n");
}

function tableAsText({ title, columns, rows }: Table): string[] {
	const widths = columns.map((column, at) => Math.max(...[column, ...rows.map((row) => row[at] ?? "")].map(({ length }) => length)));
	return ["", title, ...[columns, ...rows].map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`)];
}

/** A section for docs/performance.md, with the command that makes it. */
export function asMarkdown(name: string, about: string, machineLine: string, measured: Measured): string {
	const { setting, figures, tables = [], options = "" } = measured;
	return [
		`## ${about}`,
		"",
		`Made by \`npm run bench -- ${[name, options].filter(Boolean).join(" ")} --markdown\` on ${new Date().toISOString().slice(0, 10)}.`,
		"",
		...[machineLine, ...setting].map((line) => `- ${line}`),
		"",
		...tableAsMarkdown(
			["what", "× bare", "figure", "bare limit", "goal", ""],
			figures.map((row) => [row.what, ratio(row), `**${amount(row.value, row)}**`, bareLimit(row).join(""), goalOf(row), verdict(row)]),
		),
		"",
		...figures.flatMap((row) => (row.details.length > 0 ? [`- ${row.what}: ${row.details.join("; ")}.`] : [])),
		...tables.flatMap(({ title, columns, rows }) => ["", `${title}:`, "", ...tableAsMarkdown(columns, rows)]),
	].join("\n");
}

function tableAsMarkdown(columns: readonly string[], rows: readonly string[][]): string[] {
	return [columns, columns.map(() => "---"), ...rows].map((cells) =>
		`| ${cells.join(" | ")} |`.replaceAll("| --- ", "|---").replace("--- |", "---|"),
	);
}
