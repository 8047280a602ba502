import { isPosted, type ServiceCode, services } from "../../catalogue/services.ts";
import { formatMonth, type Month } from "../month.ts";
import { formatPublishedCount } from "./hide-small.ts";
import { motiveLabels, otherMotives, type Quote, type ServiceMonth } from "./statistics.ts";

/** « 98,4 % » */
export const formatPercent = (share: number): string => `${share.toLocaleString("fr-FR")}\u00a0%`;

/** A time on the promise clock: « 47 min » or « 1 h 12 » of opening hours, « 2 jours ouvrés » for a letter. */
export function formatTime(service: ServiceCode, time: number): string {
	const whole = Math.round(time);
	if (isPosted(service)) return `${whole}\u00a0jour${whole > 1 ? "s" : ""} ouvré${whole > 1 ? "s" : ""}`;
	if (whole < 60) return `${whole}\u00a0min`;
	const minutes = whole % 60;
	return `${Math.floor(whole / 60)}\u00a0h${minutes === 0 ? "" : `\u00a0${String(minutes).padStart(2, "0")}`}`;
}

/** The promised time of a service, in the unit of its times: opening minutes or working days. */
export function getPromisedTime(service: ServiceCode): number {
	const { term } = services[service];
	return "openHours" in term ? term.openHours * 60 : term.workingDays;
}

/** « octobre 2026 », « novembre 2026 (en cours) » */
export const formatMonthLabel = ({ month, isCurrent }: { month: Month; isCurrent: boolean }): string =>
	isCurrent ? `${formatMonth(month)} (en cours)` : formatMonth(month);

/** « 45, dont rétractation 24 », « rétractation 24, autres motifs moins de 20 chacun »: the motives that have enough refunds are named. */
export function formatOtherRefunds({ other, motives }: ServiceMonth["refunds"]): string {
	const named = otherMotives.filter((motive) => typeof motives[motive] === "number");
	if (named.length === 0) return formatPublishedCount(other);
	const details = named.map((motive) => `${motiveLabels[motive]} ${formatPublishedCount(motives[motive])}`).join(", ");
	return typeof other === "number"
		? `${formatPublishedCount(other)}, dont ${details}`
		: `${details}, autres motifs ${formatPublishedCount("few")} chacun`;
}

/** « KBIS Standard et KBIS Express » */
export const listServiceNames = (codes: readonly ServiceCode[]): string =>
	new Intl.ListFormat("fr-FR").format(codes.map((code) => services[code].name));

/** « 98,4 % », « octobre 2026 », « 1 240 commandes livrées » or « 1 235 commandes livrées, KBIS Express » */
export function describeQuote({ share, month, delivered, services: counted }: Quote): { share: string; month: string; base: string } {
	const orders = `${formatPublishedCount(delivered)}\u00a0commandes livrées`;
	return {
		share: formatPercent(share),
		month: formatMonth(month),
		base: counted === null ? orders : `${orders}, ${listServiceNames(counted)}`,
	};
}
