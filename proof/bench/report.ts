import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Figure, Measured, Table } from "./bench.ts";
import { formatFigure } from "./percentiles.ts";

export function describeMachine(): string {
	const [load = 0] = loadavg();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${memory} GB, load ${load.toFixed(1)} at the start; Node ${process.version}`;
}

const formatRatio = ({ value, baseline }: Figure) => (baseline ? `×${formatFigure(value / baseline.value)}` : "");
const isMet = ({ value, goal, atLeast }: Figure) => (atLeast ? value >= goal : value <= goal);
const formatAmount = (value: number, { unit }: Figure) =>
	unit === "/s" ? `${formatFigure(value)}/s` : `${formatFigure(value)} ${unit}`.trim();
const formatBaseline = (figure: Figure) =>
	figure.baseline ? `${formatAmount(figure.baseline.value, figure)}: ${figure.baseline.label}` : "";
const formatGoal = (figure: Figure) => `${figure.atLeast ? "≥" : "≤"} ${formatAmount(figure.goal, figure)}`;

/** Failures that no slow machine explains, among them figures too far from their baseline. */
export function findBroken({ figures, broken = [] }: Measured): string[] {
	const tooFar = figures.flatMap((figure) => {
		if (!figure.baseline) return [];
		const { value, maxRatio } = figure.baseline;
		const ratio = figure.atLeast ? value / figure.value : figure.value / value;
		if (ratio > 0 && ratio <= maxRatio) return [];
		return [`${figure.label}: ${formatAmount(figure.value, figure)} is not within ×${maxRatio} of its baseline`];
	});
	return [...tooFar, ...broken];
}

export function formatLine(name: string, seconds: number, { figures }: Measured): string {
	return `bench ${name}, ${seconds.toFixed(0)} s: ${figures.map((figure) => `${figure.label} ${formatAmount(figure.value, figure)}`).join(" · ")}`;
}

/** For the terminal. Ratios stand first: on a shared machine they say more than milliseconds. */
export function formatText(machine: string, { setting, figures, tables = [] }: Measured): string {
	return [
		machine,
		...setting,
		"",
		...figures.flatMap((figure) => [
			`${formatRatio(figure).padEnd(7)} ${figure.label}: ${formatAmount(figure.value, figure)} (goal ${formatGoal(figure)}: ${isMet(figure) ? "met" : "MISSED"})`,
			...(figure.baseline ? [`        baseline ${formatBaseline(figure)}`] : []),
			...(figure.details ?? []).map((line) => `        ${line}`),
		]),
		...tables.flatMap(formatTextTable),
	].join("\n");
}

function formatTextTable({ title, columns, rows }: Table): string[] {
	const widths = columns.map((column, at) => Math.max(...[column, ...rows.map((row) => row[at] ?? "")].map(({ length }) => length)));
	return ["", title, ...[columns, ...rows].map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`)];
}

/** A section for a page of docs/performance, with the command that repeats the run. */
export function formatMarkdown(name: string, about: string, machine: string, measured: Measured): string {
	const { setting, figures, tables = [], options = "" } = measured;
	const columns = ["what", "× baseline", "figure", "baseline", "goal", ""];
	const rows = figures.map((figure) => [
		...[figure.label, formatRatio(figure), `**${formatAmount(figure.value, figure)}**`],
		...[formatBaseline(figure), formatGoal(figure), isMet(figure) ? "met" : "**missed**"],
	]);
	return [
		`## ${about}`,
		"",
		`Measured by \`npm run bench -- ${[name, options].filter(Boolean).join(" ")} --markdown\` on ${new Date().toISOString().slice(0, 10)}.`,
		"",
		...[machine, ...setting].map((line) => `- ${line}`),
		"",
		...formatMarkdownTable(columns, rows),
		"",
		...figures.flatMap(({ label, details = [] }) => (details.length > 0 ? [`- **${label}.** ${details.join("; ")}.`] : [])),
		...tables.flatMap((table) => ["", `${table.title}:`, "", ...formatMarkdownTable(table.columns, table.rows)]),
	].join("\n");
}

function formatMarkdownTable(columns: readonly string[], rows: readonly string[][]): string[] {
	return [columns, columns.map(() => "---"), ...rows].map((cells) =>
		`| ${cells.join(" | ")} |`.replaceAll("| --- ", "|---").replace("--- |", "---|"),
	);
}
