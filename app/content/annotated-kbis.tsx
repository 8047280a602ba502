import type { ReactNode } from "react";
import { InlineContent } from "./content-blocks.tsx";
import { type Rubric, rubrics } from "./rubrics.ts";
import type { Table } from "./text.ts";

interface PlacedRubric extends Rubric {
	top: number;
	/** The baseline of each line of the heading, and of each row. */
	headingLines: readonly number[];
	rowLines: readonly number[];
	bottom: number;
}

const step = 19;
const gap = 18;
const margin = 46;
/** The rubric that ends the sheet has room for a signature and a code. */
const signatureHeight = 30;

/** Places the rubrics below each other. @returns them, and the height of the sheet. */
export function placeRubrics(): { placed: PlacedRubric[]; height: number } {
	let y = margin;
	const placed = rubrics.map((rubric, index) => {
		const top = y;
		const headingLines = rubric.heading.map((_, line) => top + 18 + line * 16);
		const headingEnd = headingLines.at(-1) ?? top;
		const rowLines = rubric.rows.map((_, row) => headingEnd + 22 + row * step);
		const bottom = (rowLines.at(-1) ?? top) + 8 + (index === rubrics.length - 1 ? signatureHeight : 0);
		y = bottom + gap;
		return { ...rubric, top, headingLines, rowLines, bottom };
	});
	return { placed, height: y + 14 };
}

const { placed, height } = placeRubrics();
const width = 440;
const sheet = { x: 4, y: 4, width: 410, height: height - 8 };
/** What a narrow screen shows of a rubric: its text, whose left edge is that of the page. */
const zoom = { x: 26, width: 378 };
const columns = { label: 28, value: 212 };

/**
 * A large drawing of an extract. Each rubric is a link to its explanation; the rubric of the explanation in view, or below the pointer,
 * is marked on the sheet (reading-pages.css). Narrow screens show each rubric alone, enlarged, above its explanation.
 * @param table the explanations: one row for each rubric of the sheet, in the same order.
 */
export function AnnotatedKbis({ table }: { table: Table }) {
	const rows = placed.map((rubric, index) => {
		const [name = "", content = "", note = ""] = table.rows[index] ?? [];
		return { rubric, name, content, note };
	});
	return (
		<figure className="annotated-kbis mb-12 grid gap-x-14 gap-y-8 border-t border-line pt-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
			<div className="max-lg:order-last">
				<svg
					viewBox={`0 0 ${width} ${height}`}
					className="w-full max-w-2xl max-lg:hidden"
					aria-label="Dessin d’un extrait Kbis, à six rubriques"
				>
					<symbol id="kbis-sheet" viewBox={`0 0 ${width} ${height}`}>
						<SheetWithRubrics />
					</symbol>
					<use href="#kbis-sheet" />
					{rows.map(({ rubric }, index) => (
						<RubricLink key={rubric.anchor} rubric={rubric} number={index + 1} />
					))}
				</svg>
				<figcaption className="mt-3 text-sm text-soft">
					Dessin sans valeur. Les rubriques sont celles du modèle réglementaire (article A123-65 du code de commerce)&nbsp;; les noms, les
					numéros et les dates sont inventés.
				</figcaption>
			</div>
			<div>
				<h2 className="text-xl">{table.caption}</h2>
				<ol className="mt-4 grid">
					{rows.map(({ rubric, name, content, note }, index) => (
						<Explanation key={rubric.anchor} rubric={rubric} number={index + 1} title={<InlineContent text={name} />}>
							<p>
								<InlineContent text={content} />.
							</p>
							<p className="mt-1 text-soft">
								<InlineContent text={note} />.
							</p>
						</Explanation>
					))}
				</ol>
			</div>
		</figure>
	);
}

function Explanation({ rubric, number, title, children }: { rubric: PlacedRubric; number: number; title: ReactNode; children: ReactNode }) {
	const { anchor, top, bottom } = rubric;
	return (
		<li id={anchor} className="scroll-mt-24 border-t border-line py-4 target:bg-shade">
			<h3 className="flex gap-3 text-lg">
				<span className="figures flex size-7 shrink-0 items-center justify-center rounded-full border border-accent font-sans text-sm font-semibold text-accent">
					{number}
				</span>
				{title}
			</h3>
			<svg
				viewBox={`${zoom.x} ${top - 2} ${zoom.width} ${bottom - top + 4}`}
				className="my-3 w-full bg-sheet sm:max-w-xl lg:hidden"
				aria-hidden="true"
			>
				<use href="#kbis-sheet" width={width} height={height} />
			</svg>
			<div className="mt-2 text-sm lg:pl-10">{children}</div>
		</li>
	);
}

/** A rubric as a link, with its number at the edge of the sheet. */
function RubricLink({ rubric: { anchor, heading, top, bottom }, number }: { rubric: PlacedRubric; number: number }) {
	const y = top + 14;
	return (
		<a href={`#${anchor}`} aria-label={`${number}. ${heading.join(" ")}`} className="group">
			<rect
				x={sheet.x + 10}
				y={top - 2}
				width={sheet.width - 20}
				height={bottom - top + 4}
				rx="3"
				className={`${anchor} fill-accent/0 stroke-accent/0 group-hover:stroke-accent`}
			/>
			<path d={`M${columns.value + 170} ${y}h20`} className="stroke-accent" strokeDasharray="1 4" strokeLinecap="round" />
			<circle cx={sheet.x + sheet.width} cy={y} r="14" className="fill-paper stroke-accent" strokeWidth="1.5" />
			<text x={sheet.x + sheet.width} y={y + 5} textAnchor="middle" fontSize="15" className="figures fill-accent font-semibold">
				{number}
			</text>
		</a>
	);
}

function SheetWithRubrics() {
	const { x, y, width, height } = sheet;
	const corner = 34;
	const last = placed.at(-1);
	return (
		// biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
		<g aria-hidden="true">
			<path d={`M${x} ${y}h${width - corner}l${corner} ${corner}v${height - corner}h-${width}Z`} className="fill-sheet stroke-ink" />
			<path d={`M${x + width - corner} ${y}v${corner}h${corner}`} className="fill-shade stroke-ink" />
			<text x={columns.label} y="32" fontSize="10" letterSpacing="1.5" className="fill-soft font-semibold">
				DESSIN SANS VALEUR
			</text>
			{placed.map(({ anchor, heading, headingLines, rows, rowLines }) => (
				<g key={anchor}>
					{heading.map((line, index) => (
						<text key={line} x={columns.label} y={headingLines[index]} fontSize="13" className="fill-accent font-semibold">
							{line}
						</text>
					))}
					{rows.map(([label, value], index) => (
						<g key={label} fontSize="11.5">
							<text x={columns.label} y={rowLines[index]} className="fill-soft">
								{label}
							</text>
							<text x={columns.value} y={rowLines[index]} fontSize="12" className="figures fill-ink">
								{value}
							</text>
						</g>
					))}
				</g>
			))}
			{placed.slice(1).map(({ anchor, top }) => (
				<path key={anchor} d={`M${columns.label} ${top - 8}h${width - 48}`} className="stroke-line" />
			))}
			{last && <Signature y={last.rowLines[0] ?? 0} />}
		</g>
	);
}

/** The greffe's signature, and the place of its code. */
function Signature({ y }: { y: number }) {
	return (
		<g fill="none" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
			<path d={`M${columns.value} ${y}c10-18 22-22 20-8s-14 16-2 4 16-14 17-4-3 10 8 2 9-4 16-3 8 1 20-3`} className="stroke-ink" />
			<circle cx={columns.value + 146} cy={y + 14} r="22" className="stroke-accent" strokeDasharray="3 4" />
			<text x={columns.value + 146} y={y + 18} textAnchor="middle" fontSize="10.5" className="fill-accent stroke-none">
				sceau
			</text>
			<path d={`M${columns.value} ${y + 14}h80v24h-80Z`} className="stroke-soft" strokeDasharray="3 4" />
			<path d={`M${columns.value + 10} ${y + 26}h60`} className="stroke-ink" strokeWidth="4" strokeDasharray="1 8" />
		</g>
	);
}
