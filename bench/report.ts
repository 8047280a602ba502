import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import type { Figure, Measured } from "./bench.ts";
import { figure } from "./percentiles.ts";

/** What the figures were made on. */
export function machine(): string {
	const [load = 0] = loadavg();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${memory} GB, load ${load.toFixed(1)} at the start; Node ${process.version}`;
}

const ratio = ({ value, bare }: Figure) => `×${figure(value / bare)}`;
const verdict = ({ value, goal }: Figure) => (value <= goal ? "met" : "MISSED");
const amount = (value: number, { unit }: Figure) => `${figure(value)} ${unit}`;

/** For the terminal: ratios first, as they say most on a machine that others use too. */
export function asText(machineLine: string, { setting, figures }: Measured): string {
	return [
		machineLine,
		...setting,
		"",
		...figures.flatMap((row) => [
			`${ratio(row).padEnd(7)} ${row.what}: ${amount(row.value, row)} (goal ≤ ${row.goal} ${row.unit}: ${verdict(row)})`,
			`        bare limit ${amount(row.bare, row)}: ${row.bareWhat}`,
			...row.details.map((line) => `        ${line}`),
		]),
	].join("\n");
}

/** A section for docs/performance.md, with the command that makes it. */
export function asMarkdown(name: string, about: string, machineLine: string, { setting, figures }: Measured): string {
	return [
		`## ${about}`,
		"",
		`Made by \`npm run bench -- ${name} --markdown\` on ${new Date().toISOString().slice(0, 10)}.`,
		"",
		...[machineLine, ...setting].map((line) => `- ${line}`),
		"",
		"| what | × bare | figure | bare limit | goal | |",
		"|---|---|---|---|---|---|",
		...figures.map(
			(row) =>
				`| ${row.what} | ${ratio(row)} | **${amount(row.value, row)}** | ${amount(row.bare, row)}: ${row.bareWhat} | ≤ ${row.goal} ${row.unit} | ${verdict(row)} |`,
		),
		"",
		...figures.flatMap((row) => (row.details.length > 0 ? [`- ${row.what}: ${row.details.join("; ")}.`] : [])),
	].join("\n");
}
