/**
 * Returns the hairlines of a guilloche, as the path of an SVG: two braids of waves whose heights swell and sink together. Deterministic.
 * @param periods of the wave. @param period its length. @param height of the band.
 */
export function createGuillochePath({
	periods,
	period,
	height,
	lines = 6,
}: {
	periods: number;
	period: number;
	height: number;
	lines?: number;
}) {
	const middle = height / 2;
	const quarter = period / 4;
	const round = (length: number) => Number(length.toFixed(2));
	// a quadratic curve reaches half the height of its control point
	const wave = (start: number, swing: number) =>
		`M${round(start)} ${middle}q${quarter} ${round(-2 * swing)} ${2 * quarter} 0${`t${2 * quarter} 0`.repeat(2 * periods - 1)}`;
	return [0, quarter]
		.flatMap((shift) => Array.from({ length: lines }, (_, i) => wave(-shift, middle * Math.cos((i / lines) * Math.PI) * 0.96)))
		.join("");
}
