import { createSealEdge, Drawing, type DrawingProps } from "./drawing.tsx";

/** A seal with its ribbons: what the shop commits to. */
export function SealDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<path d="m58 84-16 46 17-7 9 15 15-43ZM102 84l16 46-17-7-9 15-15-43Z" className="fill-shade stroke-ink" />
			<path d={createSealEdge(80, 58, 46, 22)} className="fill-sheet stroke-accent" />
			<circle cx="80" cy="58" r="38" className="stroke-accent" strokeDasharray="1 4.97" />
			<circle cx="80" cy="58" r="31" className="fill-accent" />
			<path d="m68 58 9 9 17-18" className="stroke-on-accent" strokeWidth="3.5" />
		</Drawing>
	);
}
