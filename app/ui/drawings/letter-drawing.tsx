import { Drawing, type DrawingProps, Seal, Sheet } from "./drawing.tsx";

/** A sheet that goes into an envelope: an extract by post, a message. */
export function LetterDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<path d="M18 66 80 24l62 42v62H18Z" className="fill-shade stroke-ink" />
			<Sheet x={38} y={8} width={84} height={100} />
			<path d="M50 24h22" className="stroke-ink" strokeWidth="2.5" />
			<path d="M50 40h38" className="stroke-accent" strokeWidth="4" />
			<path d="M50 54h16M50 66h12" className="stroke-soft" strokeWidth="2.5" />
			<path d="M76 54h32M76 66h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="m18 66 62 40 62-40v62H18Z" className="fill-sheet stroke-ink" />
			<path d="m18 128 46-32M142 128 96 96" className="stroke-ink" />
			<Seal x={80} y={107} radius={14} />
		</Drawing>
	);
}
