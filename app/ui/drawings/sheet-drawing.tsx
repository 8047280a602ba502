import { Drawing, type DrawingProps, Seal, Sheet, SheetBehind } from "./drawing.tsx";

/** An extract with its seal. */
export function SheetDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<SheetBehind x={38} y={10} width={92} height={120} />
			<Sheet x={32} y={10} width={92} height={120} />
			<path d="M44 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M44 44h44" className="stroke-accent" strokeWidth="4" />
			<path d="M44 60h14M44 76h18M44 92h12" className="stroke-soft" strokeWidth="2.5" />
			<path d="M72 60h38M72 76h28M72 92h22" className="stroke-ink" strokeWidth="2.5" />
			<path d="M44 116c5-9 10-9 8-2s3 6 7 0 5-3 4 1 5 1 9 0" className="stroke-ink" />
			<Seal x={118} y={104} radius={20} />
		</Drawing>
	);
}
