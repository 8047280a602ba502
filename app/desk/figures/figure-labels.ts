import { getShortName } from "../../catalogue/services.ts";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import { capitalise } from "../../ui/capitalise.ts";
import { refundReasons } from "../money/money-labels.ts";
import type { Deliveries } from "./figures.store.server.ts";
import type { Figures } from "./read-figures.server.ts";

/** « Décision d’un opérateur : retard, geste commercial » */
export function labelRefunds({ reason, cause }: Pick<Figures["refunds"][number], "reason" | "cause">): string {
	const label = capitalise(refundReasons[reason]);
	return cause === null ? label : `${label}\u00a0: ${lowerFirst(operatorCauses[cause])}`;
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

export const labelService = (service: Figures["byService"][number]["service"]): string =>
	service === null ? "Tous" : getShortName(service);

export const labelHour = (hour: number): string => `${hour}\u00a0h`;

/** « 96,5 % »; a dash when nothing was due. */
export function formatKept({ due, kept }: Pick<Deliveries, "due" | "kept">): string {
	return due === 0 ? "–" : `${percent.format((100 * kept) / due)}\u00a0%`;
}

const percent = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 1 });

/** « 47 min », « 1 h 40 », « 3 j 2 h »; a dash without a delivery. */
export function formatMinutes(minutes: number | null): string {
	if (minutes === null) return "–";
	const whole = Math.round(minutes);
	if (whole < 60) return `${whole}\u00a0min`;
	const hours = Math.floor(whole / 60);
	if (hours < 24) return `${hours}\u00a0h\u00a0${String(whole % 60).padStart(2, "0")}`;
	return `${Math.floor(hours / 24)}\u00a0j\u00a0${hours % 24}\u00a0h`;
}
