import { formatUntil } from "../deadlines.ts";
import { formatInstant } from "../instants.ts";
import { cents, formatEuros } from "../money.ts";
import { serviceCodes, services } from "../services.ts";
import { formatDayRange } from "./sales-sentences.ts";
import { type Capacity, defaultSettings, isInForce, monthNames, type SettingName, type ShopSettings } from "./shop-settings.ts";

/** Settings in words, for operators. */

const list = new Intl.ListFormat("fr-FR", { type: "conjunction" });

/** Describes the value of a setting. @param now null: in the history, where an end has a date. */
export function describeSetting<Name extends SettingName>(name: Name, value: ShopSettings[Name], now: Date | null): string {
	return descriptions[name](value, now);
}

const descriptions: { [Name in SettingName]: (value: ShopSettings[Name], now: Date | null) => string } = {
	closure: (closure, now) => {
		if (closure === null || (now && !isInForce(closure, now))) return "ouverte";
		return `fermée ${describeEnd(closure.until, now)}${closure.sentence ? `, avec la phrase «\u00a0${closure.sentence}\u00a0»` : ""}`;
	},
	expressPause: (pause, now) =>
		pause === null || (now && !isInForce(pause, now)) ? "en vente" : `arrêté ${describeEnd(pause.until, now)}`,
	daysOff: (daysOff) =>
		daysOff.length === 0 ? "aucun" : list.format(daysOff.map((range) => `${formatDayRange(range)} ${range.to.slice(0, 4)}`)),
	capacity: describeCapacity,
	pace: (pace) => (pace === null ? "non réglé" : `${pace} extrait${pace === 1 ? "" : "s"} par heure d’ouverture`),
	books: (stored) => {
		const { customers, yearStart, layout, ownColumns, salesPeriod, platform } = { ...defaultSettings.books, ...stored };
		const journals = { none: [], sage100: ["journal pour Sage 100"], own: [`journal en colonnes ${ownColumns.join(" ")}`] };
		const account = customers === "order" ? "un compte auxiliaire par commande" : "un compte collectif";
		const reports = platform
			? [`e-reporting des ventes par ${salesPeriod === "month" ? "mois" : "décade"}, plateforme ${platform.name} (${platform.id})`]
			: [];
		return [account, `exercice dès ${monthNames[yearStart - 1]}`, ...journals[layout], ...reports].join(", ");
	},
	bulletinReading: (on) => (on ? "chaque jour" : "arrêté"),
	refundBrake: ({ refunds, cents: amount }) => {
		const limits = [
			...(refunds === null ? [] : [`${refunds} remboursement${refunds === 1 ? "" : "s"} de retard`]),
			...(amount === null ? [] : [formatEuros(cents(amount))]),
		];
		return limits.length === 0 ? "sans limite" : `au-delà de ${limits.join(" ou de ")} par heure, une personne décide`;
	},
};

function describeEnd(until: string | null, now: Date | null): string {
	if (until === null) return "jusqu’à nouvel ordre";
	return now ? formatUntil(new Date(until), now) : `jusqu’au ${formatInstant(new Date(until))}`;
}

function describeCapacity(capacity: Capacity): string {
	const names = [["all", "en tout"], ...serviceCodes.map((code) => [code, services[code].name] as const)] as const;
	// a service that is newer than the stored limits has none
	const limits = names.flatMap(([code, name]) => (capacity[code] ? [`${capacity[code]} ${name}`] : []));
	return limits.length === 0 ? "sans limite" : `au plus ${limits.join(", ")}`;
}

/** The refusals of a change, for operators. */
export const settingRefusals = {
	"wrong-end": "Cette fin ne convient pas\u00a0: elle doit être à venir, dans les trois mois.",
	"wrong-days": "Ces jours ne conviennent pas\u00a0: ils sont passés, ou la fin précède le début.",
	"too-many-days": "La boutique serait fermée plus de trois mois d’affilée\u00a0: aucune heure ne pourrait être promise.",
	"wrong-limit": "Cette limite ne se lit pas\u00a0: écrivez un nombre entier, à partir de 1, ou laissez vide pour l’enlever.",
	unchanged: "Ce réglage est déjà en place\u00a0: rien n’a changé.",
} as const;
