import type { ReactNode } from "react";

export interface DrawingProps {
	/** Sets the width; the height follows. */
	className?: string;
}

/**
 * The frame of a drawing: one line weight, the ink of the text and the accent, so that it changes with light and dark. Decorative,
 * because the text beside says the same.
 */
export function Drawing({ className = "w-40", children }: DrawingProps & { children: ReactNode }) {
	return (
		<svg
			viewBox="0 0 160 140"
			className={className}
			fill="none"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			{children}
		</svg>
	);
}

interface Place {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A sheet with a folded corner. @param corner the length of the fold. */
export function Sheet({ x, y, width, height, corner = 16 }: Place & { corner?: number }) {
	return (
		<>
			<path d={`M${x} ${y}h${width - corner}l${corner} ${corner}v${height - corner}h-${width}Z`} className="fill-sheet stroke-ink" />
			<path d={`M${x + width - corner} ${y}v${corner}h${corner}`} className="fill-shade stroke-ink" />
		</>
	);
}

/** The sheet behind another one, turned a little. */
export function SheetBehind({ x, y, width, height, turn = 5 }: Place & { turn?: number }) {
	return (
		<rect
			x={x}
			y={y}
			width={width}
			height={height}
			className="fill-shade stroke-line"
			transform={`rotate(${turn} ${x + width / 2} ${y + height / 2})`}
		/>
	);
}

/** Returns the waved edge of a seal, as the path of an SVG. */
export function createSealEdge(x: number, y: number, radius: number, waves = 16): string {
	const step = Math.PI / waves;
	const point = (turn: number, length: number) =>
		`${Number((x + length * Math.cos(turn)).toFixed(1))} ${Number((y + length * Math.sin(turn)).toFixed(1))}`;
	const curves = Array.from({ length: waves }, (_, i) => `Q${point(2 * i * step, radius * 1.2)} ${point((2 * i + 1) * step, radius)}`);
	return `M${point(-step, radius)}${curves.join("")}Z`;
}

/** A seal with a check mark. */
export function Seal({ x, y, radius }: { x: number; y: number; radius: number }) {
	const check = radius * 0.36;
	return (
		<>
			<path d={createSealEdge(x, y, radius)} className="fill-paper stroke-accent" />
			<circle cx={x} cy={y} r={radius * 0.8} className="fill-accent" />
			<path
				d={`M${x - check} ${y}l${check * 0.75} ${check * 0.75} ${check * 1.3}-${check * 1.4}`}
				className="stroke-on-accent"
				strokeWidth={Math.max(2, radius / 9)}
			/>
		</>
	);
}
