import type { ComponentType, ReactNode } from "react";
import type { DrawingName } from "./drawing-names.ts";

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

/** Several sheets in one folder: a purchase of several extracts. */
export function SheetsDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<Sheet x={64} y={8} width={78} height={92} corner={13} />
			<Sheet x={42} y={20} width={78} height={92} corner={13} />
			<Sheet x={20} y={32} width={78} height={92} corner={13} />
			<path d="M30 46h18" className="stroke-ink" strokeWidth="2.5" />
			<path d="M30 60h34" className="stroke-accent" strokeWidth="4" />
			<path d="M30 76h14M30 90h18M30 104h12" className="stroke-soft" strokeWidth="2.5" />
			<path d="M56 76h30M56 90h22M56 104h16" className="stroke-ink" strokeWidth="2.5" />
			<Seal x={120} y={104} radius={21} />
		</Drawing>
	);
}

/** A sheet whose rubrics are numbered: how to read an extract. */
export function RubricsDrawing(props: DrawingProps) {
	return (
		<Drawing {...props}>
			<SheetBehind x={26} y={10} width={92} height={120} turn={-4} />
			<Sheet x={32} y={10} width={92} height={120} />
			<path d="M44 26h24" className="stroke-ink" strokeWidth="2.5" />
			<path d="M44 42h40M44 72h32M44 102h44" className="stroke-accent" strokeWidth="4" />
			<path d="M44 52h56M44 60h44M44 82h52M44 90h30M44 112h48" className="stroke-ink" strokeWidth="2.5" />
			<path d="M100 42h20M100 72h20M100 102h20" className="stroke-soft" strokeDasharray="1 4" />
			{[42, 72, 102].map((y) => (
				<circle key={y} cx="131" cy={y} r="9.5" className="fill-paper stroke-accent" />
			))}
			<path d="m129 39.5 2.5-1.5v8M128.5 69.500q2.5-3 5 0t-5 6h5M128.5 98.500h5l-3 3q3.5 0 3 3t-5 1.5" className="stroke-ink" />
		</Drawing>
	);
}

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

/** Ends of the label and of the value of each line of the home page's sheet. */
const heroLines = [
	[116, 248],
	[130, 272],
	[108, 228],
	[124, 256],
	[120, 216],
] as const;

/** The drawing of the home page: a sheet that is written once, line by line, then sealed (written-sheet.css). It imitates no official paper. */
export function HeroDrawing({ className }: DrawingProps) {
	return (
		<svg
			viewBox="0 0 380 440"
			className={className}
			fill="none"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			<path d="M78 30 342 16l19 380-264 14Z" className="fill-shade stroke-line" />
			<path d="M40 34h208l56 56v318H40Z" className="fill-sheet stroke-ink" />
			<path d="M248 34v56h56" className="fill-shade stroke-ink" />
			<path d="M72 190h200M72 226h200M72 262h200M72 298h200M72 334h200" className="stroke-line" />
			<path d="M72 84h66M72 98h40" className="stroke-ink" strokeWidth="2.5" />
			<path d="M72 150h120" pathLength="1" className="written line-1 stroke-accent" strokeWidth="5" />
			{heroLines.map(([label, value], index) => (
				<g key={label} strokeWidth="2.5">
					<path d={`M72 ${178 + index * 36}H${label}`} pathLength="1" className={`written line-${index + 2} stroke-soft`} />
					<path d={`M164 ${178 + index * 36}H${value}`} pathLength="1" className={`written line-${index + 2} stroke-ink`} />
				</g>
			))}
			<path
				d="M74 378c10-18 22-22 20-8s-14 16-2 4 16-14 17-4-3 10 8 2 9-4 16-3 8 1 20-3"
				pathLength="1"
				className="written line-7 stroke-ink"
			/>
			<g className="sealed">
				<path d={createSealEdge(300, 352, 45, 20)} className="fill-paper stroke-accent" />
				<circle cx="300" cy="352" r="37" className="fill-accent" />
				<path d="m283 353 12 12 22-25" className="stroke-on-accent" strokeWidth="3.5" />
			</g>
		</svg>
	);
}

/** The drawings that a text may name. */
export const drawings: Record<DrawingName, ComponentType<DrawingProps>> = {
	sheet: SheetDrawing,
	rubrics: RubricsDrawing,
	fold: FoldDrawing,
	seal: SealDrawing,
	stamp: StampDrawing,
	letter: LetterDrawing,
	screen: ScreenDrawing,
	search: SearchDrawing,
	compare: CompareDrawing,
	question: QuestionDrawing,
};
