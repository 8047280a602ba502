import { createSealEdge, type DrawingProps } from "./drawing.tsx";

/** Ends of the label and of the value of each line. */
const lines = [
	[116, 248],
	[130, 272],
	[108, 228],
	[124, 256],
	[120, 216],
] as const;

/** The drawing of the home page: a sheet that is written once, line by line, then sealed (written-sheet.css). It imitates no official paper. */
export function HeroDrawing({ className }: DrawingProps) {
	return (
		<svg
			viewBox="0 0 380 440"
			className={className}
			fill="none"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			<path d="M78 30 342 16l19 380-264 14Z" className="fill-shade stroke-line" />
			<path d="M40 34h208l56 56v318H40Z" className="fill-sheet stroke-ink" />
			<path d="M248 34v56h56" className="fill-shade stroke-ink" />
			<path d="M72 190h200M72 226h200M72 262h200M72 298h200M72 334h200" className="stroke-line" />
			<path d="M72 84h66M72 98h40" className="stroke-ink" strokeWidth="2.5" />
			<path d="M72 150h120" pathLength="1" className="written line-1 stroke-accent" strokeWidth="5" />
			{lines.map(([label, value], index) => (
				<g key={label} strokeWidth="2.5">
					<path d={`M72 ${178 + index * 36}H${label}`} pathLength="1" className={`written line-${index + 2} stroke-soft`} />
					<path d={`M164 ${178 + index * 36}H${value}`} pathLength="1" className={`written line-${index + 2} stroke-ink`} />
				</g>
			))}
			<path
				d="M74 378c10-18 22-22 20-8s-14 16-2 4 16-14 17-4-3 10 8 2 9-4 16-3 8 1 20-3"
				pathLength="1"
				className="written line-7 stroke-ink"
			/>
			<g className="sealed">
				<path d={createSealEdge(300, 352, 45, 20)} className="fill-paper stroke-accent" />
				<circle cx="300" cy="352" r="37" className="fill-accent" />
				<path d="m283 353 12 12 22-25" className="stroke-on-accent" strokeWidth="3.5" />
			</g>
		</svg>
	);
}
