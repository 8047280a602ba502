import { typedKeys } from "../../server/types/objects.ts";
import type { DayState } from "./availability.ts";

/** Units of the drawing: height and width of a day, and distance to the next. */
const height = 24;
const width = 2;
const step = 4;

/** The drawing of a day: its pieces from top to bottom, and its colour. The states also differ in height and pattern. */
const drawings = {
	ok: { pieces: [[0, 24]], colour: "fill-done" },
	gaps: {
		pieces: [
			[0, 9],
			[15, 24],
		],
		colour: "fill-done",
	},
	some: {
		pieces: [
			[8, 11],
			[13, 15],
			[17, 19],
			[21, 24],
		],
		colour: "fill-waiting",
	},
	all: { pieces: [[14, 24]], colour: "fill-failed" },
	none: { pieces: [[22, 24]], colour: "fill-edge" },
} as const satisfies Record<DayState, { pieces: readonly (readonly [top: number, bottom: number])[]; colour: string }>;

export const dayStates = typedKeys(drawings);

/** Days as bars, the last on the right; narrow screens show thirty of ninety. Decorative, because the text beside says more. */
export function HistoryBars({ days }: { days: readonly DayState[] }) {
	return (
		<div className="flex justify-end overflow-hidden">
			<Drawing days={days} className="h-6 w-full max-sm:w-[300%]" />
		</div>
	);
}

/** A single day, for the legend. */
export function HistorySign({ state }: { state: DayState }) {
	return <Drawing days={[state]} className="h-5 w-1" />;
}

function Drawing({ days, className }: { days: readonly DayState[]; className: string }) {
	return (
		<svg
			viewBox={`0 0 ${(days.length - 1) * step + width} ${height}`}
			preserveAspectRatio="none"
			aria-hidden="true"
			className={`shrink-0 ${className}`}
		>
			{dayStates.map((state) => {
				const { pieces, colour } = drawings[state];
				const d = days
					.flatMap((day, index) =>
						day === state ? pieces.map(([top, bottom]) => `M${index * step} ${top}h${width}v${bottom - top}h-${width}z`) : [],
					)
					.join("");
				return d && <path key={state} d={d} className={colour} />;
			})}
		</svg>
	);
}
