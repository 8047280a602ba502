import type { Random } from "../random.ts";
import { drawFrom } from "./chances.ts";

/** INSEE's categories of enterprise among active units. */
export const drawSize = drawFrom<Size>([
	["", 63.3],
	["PME", 36.4],
	["ETI", 0.27],
	["GE", 0.055],
]);
export type Size = "" | "PME" | "ETI" | "GE";

/** Bands of staff of active units. Source of the codes: INSEE, trancheEffectifsUniteLegale. */
export const drawStaff: Record<Size, (random: Random) => string> = {
	"": drawFrom([
		["NN", 60],
		["", 25],
		["00", 10],
		["01", 4],
		["02", 1],
	]),
	PME: drawFrom([
		["NN", 38],
		["00", 12],
		["01", 24],
		["02", 10],
		["03", 7],
		["11", 5],
		["12", 2.5],
		["21", 1],
		["22", 0.4],
		["31", 0.1],
	]),
	ETI: drawFrom([
		["NN", 10],
		["12", 10],
		["21", 15],
		["22", 20],
		["31", 10],
		["32", 20],
		["41", 10],
		["42", 5],
	]),
	GE: drawFrom([
		["22", 10],
		["32", 20],
		["41", 20],
		["42", 20],
		["51", 15],
		["52", 10],
		["53", 5],
	]),
};

/** The share of units with a second establishment, of those with a third, and so on: 1.4 establishments a unit. */
export const moreEstablishments: Record<Size, number> = { "": 0.27, PME: 0.3, ETI: 0.85, GE: 0.95 };
