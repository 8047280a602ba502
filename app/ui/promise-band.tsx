/** What catalogue/promise-week.ts computes; all places in percent of the width. */
interface PromiseBandProps {
	days: readonly { name: string; date: string }[];
	open: readonly { from: number; to: number }[];
	work: readonly { from: number; to: number }[];
	now: number;
	promise: { at: number | null; hour: string };
	className?: string;
}

const top = 40;
const height = 14;

/**
 * The coming days as a thin band: their opening hours, now, and the hour of the promise. Decorative, because a sentence beside says the same.
 * Places are attributes in percent, so that the band needs neither scripts nor inline styles.
 */
export function PromiseBand({ days, open, work, now, promise, className = "" }: PromiseBandProps) {
	return (
		<svg width="100%" height={86} className={`block overflow-visible ${className}`} aria-hidden="true">
			{days.map(({ name, date }, index) => {
				const x = (index / days.length) * 100;
				return (
					<g key={date}>
						<line x1={`${x}%`} x2={`${x}%`} y1={top - 4} y2={top + height + 26} className="stroke-line" />
						<text x={`${x}%`} dx="5" y={top + height + 14} className="fill-ink text-xs">
							{name}
						</text>
						<text x={`${x}%`} dx="5" y={top + height + 29} className="figures fill-soft text-xs">
							{date}
						</text>
					</g>
				);
			})}
			<line x1="0" x2="100%" y1={top + height / 2} y2={top + height / 2} className="stroke-line" />
			<Stretches stretches={open} className="fill-shade stroke-edge" />
			<Stretches stretches={work} className="fill-accent stroke-accent" />
			<Mark at={now} y={12} label="maintenant" className="fill-soft" />
			<circle cx={`${now}%`} cy={top + height / 2} r="4" className="fill-paper stroke-ink" strokeWidth="1.5" />
			{promise.at !== null && (
				<>
					<Mark at={promise.at} y={29} label={`avant ${promise.hour}`} className="fill-accent font-semibold" />
					<circle cx={`${promise.at}%`} cy={top + height / 2} r="5" className="fill-accent stroke-paper" strokeWidth="1.5" />
				</>
			)}
		</svg>
	);
}

function Stretches({ stretches, className }: { stretches: readonly { from: number; to: number }[]; className: string }) {
	return stretches.map(({ from, to }) => (
		<rect key={from} x={`${from}%`} width={`${(to - from).toFixed(2)}%`} y={top} height={height} className={className} />
	));
}

/** A label with a line down to the band, on the side where it has room. */
function Mark({ at, y, label, className }: { at: number; y: number; label: string; className: string }) {
	const isLeft = at > 65;
	return (
		<>
			<line x1={`${at}%`} x2={`${at}%`} y1={y - 9} y2={top + height / 2} className="stroke-ink" />
			<text x={`${at}%`} dx={isLeft ? -6 : 6} y={y} textAnchor={isLeft ? "end" : "start"} className={`figures text-xs ${className}`}>
				{label}
			</text>
		</>
	);
}
