import type { Month } from "../month.ts";
import type { StatisticsMonth } from "./statistics.ts";

/** Units of the drawing: about a pixel each on a phone. */
const width = 352;
const height = 176;
const top = 18;
const bottom = 132;
const left = 56;
const step = (width - left) / 13;
const barWidth = 13;

export interface Column extends Pick<StatisticsMonth, "month" | "isCurrent"> {
	/** The height of the bar; null when it is hidden. */
	bar: number | null;
	/** The height of the frame around the bar. */
	frame?: number | null;
}

interface Line {
	value: number;
	label: string;
	isPromise?: boolean;
}

interface MonthChartProps {
	/** What the chart shows, for screen readers. */
	label: string;
	columns: readonly Column[];
	/** The value at the top. */
	max: number;
	/** Values with a line across the chart. What is promised is dashed, in front of the bars. */
	lines: readonly Line[];
}

/** Bars by month. The table beside has the same figures: nothing depends on the drawing. */
export function MonthChart({ label, columns, max, lines }: MonthChartProps) {
	const toY = (value: number) => round(bottom - (value / max) * (bottom - top));
	const toLine = ({ value, label: text, isPromise }: Line) => (
		<g key={text}>
			<path
				d={`M${left} ${toY(value)}H${width}`}
				className={isPromise ? "stroke-ink" : "stroke-line"}
				strokeDasharray={isPromise ? "5 4" : undefined}
			/>
			<text x={left - 6} y={toY(value) + 4.5} textAnchor="end" className={isPromise ? "fill-ink" : "fill-soft"}>
				{text}
			</text>
		</g>
	);
	return (
		<svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className="w-full text-xs">
			<path d={`M${left} ${bottom}H${width}`} className="stroke-edge" />
			{lines.filter(({ isPromise }) => !isPromise).map(toLine)}
			{columns.map(({ month, isCurrent, bar, frame = null }, index) => {
				const middle = round(left + (index + 0.5) * step);
				const x = round(middle - barWidth / 2);
				const dashes = isCurrent ? "3 2" : undefined;
				return (
					<g key={month}>
						{bar === null && <path d={`M${round(middle - 3)} ${bottom - 5}h6`} className="stroke-soft" strokeWidth="2" />}
						{frame !== null && <Bar x={x} y={toY(frame)} className="stroke-accent" dashes={dashes} />}
						{bar !== null && (
							<Bar x={x} y={toY(bar)} className={isCurrent ? "stroke-accent" : "fill-accent stroke-accent"} dashes={dashes} />
						)}
						<text x={middle} y={bottom + 18} textAnchor="middle" className="fill-soft">
							{getInitial(month)}
						</text>
						{(month.endsWith("-01") || (index === 0 && !month.endsWith("-12"))) && (
							<text x={x} y={bottom + 36} className="fill-soft">
								{month.slice(0, 4)}
							</text>
						)}
					</g>
				);
			})}
			{lines.filter(({ isPromise }) => isPromise).map(toLine)}
		</svg>
	);
}

const Bar = ({ x, y, className, dashes }: { x: number; y: number; className: string; dashes: string | undefined }) => (
	<path d={`M${x} ${bottom}V${y}h${barWidth}V${bottom}`} fill="none" className={className} strokeDasharray={dashes} strokeWidth="1.5" />
);

const round = (value: number) => Math.round(value * 10) / 10;

/** J F M A M J J A S O N D */
const getInitial = (month: Month) => "JFMAMJJASOND".charAt(Number(month.slice(5)) - 1);

/** A sign of the charts, for their legend. */
export function ChartSign({ kind }: { kind: "bar" | "frame" | "line" | "hidden" | "current" }) {
	return (
		<svg viewBox="0 0 16 16" fill="none" strokeWidth="1.5" aria-hidden="true" className="size-4 shrink-0">
			{kind === "bar" && <path d="M2 15V6h12v9z" className="fill-accent stroke-accent" />}
			{kind === "frame" && <path d="M2 15V1h12v14" className="stroke-accent" />}
			{kind === "line" && <path d="M0 8h16" className="stroke-ink" strokeDasharray="5 4" />}
			{kind === "hidden" && <path d="M5 8h6" className="stroke-soft" strokeWidth="2" />}
			{kind === "current" && <path d="M2 15V3h12v12" className="stroke-accent" strokeDasharray="3 2" />}
		</svg>
	);
}
