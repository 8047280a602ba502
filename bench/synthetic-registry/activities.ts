import naf2025 from "../../data/nomenclatures/naf-2025.json" with { type: "json" };
import type { Random } from "../random.ts";
import { counted, drawFrom } from "./chances.ts";
import { dayOf } from "./days.ts";
import type { SampleFile } from "./sample.ts";

export interface Activity {
	code: string;
	nomenclature: string;
}

/** Since then activities are those of NAF rév. 2; who ceased before kept the code of his day. */
const rev2InForce = dayOf(2008);

/** Activities as frequent as in the sample among the units of the same legal category, where it has any; else among all. */
export function activities(units: SampleFile): (random: Random, category: string, ceasedOn: number | undefined) => Activity {
	const seen = units
		.rows("categorieJuridique", "activitePrincipale", "nomenclatureActivitePrincipale")
		.map((row) => ({
			category: row.categorieJuridique,
			code: row.activitePrincipale,
			nomenclature: row.nomenclatureActivitePrincipale,
		}))
		.filter(({ code, nomenclature }) => code && nomenclature);
	const current = seen.filter(({ nomenclature }) => nomenclature === "NAFRev2");
	const old = seen.filter(({ nomenclature }) => nomenclature !== "NAFRev2");
	const byCategory = Map.groupBy(current, ({ category }) => category);
	return (random, category, ceasedOn) =>
		random.pick(ceasedOn !== undefined && ceasedOn < rev2InForce ? old : (byCategory.get(category) ?? current));
}

/** A code of NAF 2025 for one of rév. 2: of the same class where there is one, else of its group, else of its division; "" for none. */
export function naf2025Of(): (activity: Activity) => string {
	const codes = Object.keys(naf2025);
	const found = new Map<string, string>();
	return ({ code, nomenclature }) => {
		if (nomenclature !== "NAFRev2") return "";
		let answer = found.get(code);
		if (answer === undefined) {
			const near = [5, 4, 2].map((length) => codes.find((other) => other.startsWith(code.slice(0, length))));
			answer = near.find(Boolean) ?? "";
			found.set(code, answer);
		}
		return answer;
	};
}

/** Legal categories: the frequent ones as in the whole register, the others as in the sample. Source: INSEE, stock of units in 2024, rounded. */
export function legalCategories(units: SampleFile): (random: Random) => string {
	const frequent: [string, number][] = [
		["1000", 0.55],
		["5499", 0.127],
		["5710", 0.11],
		["6540", 0.08],
		["9220", 0.07],
		["5485", 0.003],
	];
	const listed = new Set(frequent.map(([category]) => category));
	const others = units.values("categorieJuridique").filter((category) => !listed.has(category));
	const rest = 1 - frequent.reduce((sum, [, share]) => sum + share, 0);
	return drawFrom([...frequent, ...counted(others).map(([category, count]) => [category, (count / others.length) * rest] as const)]);
}
