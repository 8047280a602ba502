import { Drawing, type DrawingProps, Seal } from "./drawing.tsx";

/** A sheet folded in three, standing: what the shop is and how it works. */
export function FoldDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<path d="M8 124h146" className="stroke-line" />
			<path d="m18 32 42-14v92l-42 14Z" className="fill-sheet stroke-ink" />
			<path d="m60 18 40 16v92l-40-16Z" className="fill-shade stroke-ink" />
			<path d="m100 34 42-14v90l-42 16Z" className="fill-sheet stroke-ink" />
			<path d="m28 46 20-7" className="stroke-accent" strokeWidth="4" />
			<path d="m28 62 22-7M28 76l18-6M28 90l22-7" className="stroke-ink" strokeWidth="2.5" />
			<path d="m68 46 22 9M68 60l16 6.500M68 74l22 9" className="stroke-soft" strokeWidth="2.5" />
			<path d="m110 50 22-8M110 64l16-6" className="stroke-ink" strokeWidth="2.5" />
			<Seal x={122} y={92} radius={15} />
		</Drawing>
	);
}
