import { Drawing, type DrawingProps, Seal, Sheet } from "./drawing.tsx";

/** Two sheets with the same lines: a file that is compared with the original. */
export function CompareDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			{[10, 90].map((x) => (
				<g key={x}>
					<Sheet x={x} y={18} width={60} height={92} corner={13} />
					<path d={`M${x + 10} 32h16`} className="stroke-ink" strokeWidth="2.5" />
					<path d={`M${x + 10} 46h28`} className="stroke-accent" strokeWidth="4" />
					<path d={`M${x + 10} 60h38M${x + 10} 72h30M${x + 10} 84h36M${x + 10} 96h20`} className="stroke-ink" strokeWidth="2.5" />
				</g>
			))}
			<path d="M74 60h13M74 72h13" className="stroke-soft" strokeDasharray="1 3.5" />
			<Seal x={80} y={106} radius={21} />
		</Drawing>
	);
}
