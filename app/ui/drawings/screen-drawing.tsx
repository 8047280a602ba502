import { Drawing, type DrawingProps, Seal, Sheet } from "./drawing.tsx";

/** A screen with a sheet: an extract by e-mail, an order to follow. */
export function ScreenDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<rect x="14" y="14" width="132" height="92" rx="5" className="fill-shade stroke-ink" />
			<path d="M14 28h132" className="stroke-ink" />
			<path d="M22 21h.1M29 21h.1M36 21h.1" className="stroke-soft" strokeWidth="3" />
			<path d="M4 112h152l-6 12H10Z" className="fill-sheet stroke-ink" />
			<path d="M66 118h28" className="stroke-soft" />
			<Sheet x={52} y={38} width={56} height={68} corner={12} />
			<path d="M60 50h16" className="stroke-ink" strokeWidth="2.5" />
			<path d="M60 61h24" className="stroke-accent" strokeWidth="4" />
			<path d="M60 73h34M60 83h26M60 93h18" className="stroke-ink" strokeWidth="2.5" />
			<Seal x={108} y={92} radius={15} />
		</Drawing>
	);
}
