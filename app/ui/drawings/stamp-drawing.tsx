import { Drawing, type DrawingProps, Sheet } from "./drawing.tsx";

const hours = Array.from({ length: 12 }, (_, i) => {
	const turn = (i / 12) * 2 * Math.PI;
	const point = (length: number) =>
		`${Number((104 + length * Math.cos(turn)).toFixed(1))} ${Number((78 + length * Math.sin(turn)).toFixed(1))}`;
	return `M${point(i % 3 === 0 ? 27 : 30)} ${point(33)}`;
}).join("");

/** A sheet stamped with the hour: a delay that is kept. */
export function StampDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<Sheet x={20} y={10} width={88} height={120} />
			<path d="M32 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M32 44h40" className="stroke-accent" strokeWidth="4" />
			<path d="M32 62h26M32 78h20M32 94h24M32 110h34" className="stroke-ink" strokeWidth="2.5" />
			<circle cx="104" cy="78" r="43" className="fill-paper stroke-accent" />
			<circle cx="104" cy="78" r="37" className="stroke-accent" />
			<path d={hours} className="stroke-accent" />
			<path d="M104 56v22l15 9" className="stroke-ink" strokeWidth="3" />
			<circle cx="104" cy="78" r="3" className="fill-ink" />
		</Drawing>
	);
}
