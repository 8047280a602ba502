import { Drawing, type DrawingProps, Sheet, SheetBehind } from "./drawing.tsx";

/** A magnifier over a sheet: a search, also one without result. */
export function SearchDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<SheetBehind x={30} y={10} width={88} height={118} />
			<Sheet x={24} y={10} width={88} height={120} />
			<path d="M36 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M36 44h40" className="stroke-accent" strokeWidth="4" />
			<path d="M36 62h20M36 78h16M36 94h18M36 110h40" className="stroke-soft" strokeWidth="2.5" />
			<path d="m116 102 26 26" className="stroke-ink" strokeWidth="6" />
			<circle cx="94" cy="80" r="30" className="fill-paper stroke-ink" strokeWidth="2.5" />
			<path d="M78 72h32" className="stroke-accent" strokeWidth="5" />
			<path d="M76 86h36M84 96h20" className="stroke-ink" strokeWidth="3" />
		</Drawing>
	);
}
