import { Drawing, type DrawingProps, Sheet, SheetBehind } from "./drawing.tsx";

/** A sheet whose rubrics are numbered: how to read an extract. */
export function RubricsDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<SheetBehind x={26} y={10} width={92} height={120} turn={-4} />
			<Sheet x={32} y={10} width={92} height={120} />
			<path d="M44 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M44 42h40M44 72h32M44 102h44" className="stroke-accent" strokeWidth="4" />
			<path d="M44 52h56M44 60h44M44 82h52M44 90h30M44 112h48" className="stroke-ink" strokeWidth="2.5" />
			<path d="M100 42h20M100 72h20M100 102h20" className="stroke-soft" strokeDasharray="1 4" />
			{[42, 72, 102].map((y) => (
				<circle key={y} cx="131" cy={y} r="9.5" className="fill-paper stroke-accent" />
			))}
			<path d="m129 39.5 2.5-1.5v8M128.5 69.500q2.5-3 5 0t-5 6h5M128.5 98.500h5l-3 3q3.5 0 3 3t-5 1.5" className="stroke-ink" />
		</Drawing>
	);
}
