import type { ComponentType } from "react";
import { isFinal, type OrderStatus } from "../../../orders/lifecycle.ts";
import { Drawing, type DrawingProps, Seal, Sheet, SheetBehind } from "../../../ui/drawings/drawings.tsx";

/** What each step writes on the sheet: paid, requested, ready. The last step, delivered, seals it. */
const parts = [
	["M40 26h26", "M40 44h46"],
	["M40 62h14m6 0h40", "M40 78h18m4 0h28"],
	["M40 94h12m6 0h34", "M40 114c5-9 10-9 8-2s3 6 7 0 5-3 4 1 5 1 9 0"],
] as const;

/** A line of a purchase. `progress`: the number of steps that are over. `requested`: the registry was asked for its extract. */
interface WrittenLine {
	status: OrderStatus;
	progress: number;
	requested: boolean;
}

/** The sheet of a purchase: as far written as its most advanced line, and sealed once all lines have ended and one has its extract. */
export function getSheetOfLines(lines: readonly WrittenLine[]): ComponentType<DrawingProps> {
	const succeeding = lines.filter(({ status }) => status !== "failed");
	const written = Math.max(0, ...succeeding.map(({ progress, requested }) => (progress === 1 && requested ? 2 : progress)));
	return getOrderSheet(written === 4 && lines.some(({ status }) => !isFinal(status)) ? 3 : written);
}

/** Returns the sheet of an order, which fills step by step. @param written how much of it is written, 0 to 4. */
export const getOrderSheet = (written: number): ComponentType<DrawingProps> => sheets[written] ?? EmptySheet;

const createSheet = (progress: number) =>
	function OrderSheet(props: DrawingProps) {
		return (
			<Drawing {...props}>
				<SheetBehind x={34} y={10} width={92} height={120} />
				<Sheet x={28} y={10} width={92} height={120} />
				<g strokeWidth="2.5">
					{parts.map((lines, part) =>
						lines.map((line, index) => (
							<path
								key={line}
								d={line}
								pathLength="1"
								// the newest lines are written when the page shows them
								className={part < progress ? `stroke-ink ${part === progress - 1 ? `written line-${index + 1}` : ""}` : "stroke-line"}
							/>
						)),
					)}
				</g>
				{progress === 4 && (
					<g className="sealed">
						<Seal x={116} y={104} radius={20} />
					</g>
				)}
			</Drawing>
		);
	};

const EmptySheet = createSheet(0);
const sheets = [EmptySheet, createSheet(1), createSheet(2), createSheet(3), createSheet(4)];
