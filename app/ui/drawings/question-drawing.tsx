import { Drawing, type DrawingProps, Sheet, SheetBehind } from "./drawing.tsx";

/** A sheet with a question mark: whether an extract is needed, questions and help. */
export function QuestionDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<SheetBehind x={32} y={10} width={92} height={120} turn={-5} />
			<Sheet x={36} y={10} width={92} height={120} />
			<path d="M48 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M67 58c1-9 8-14 16-14 9 0 16 6 16 14 0 11-16 12-16 24" className="stroke-accent" strokeWidth="5" />
			<path d="M83 96h.1" className="stroke-accent" strokeWidth="7" />
			<path d="M48 116h68" className="stroke-line" strokeWidth="2.5" />
		</Drawing>
	);
}
