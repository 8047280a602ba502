import { Temporal } from "temporal-polyfill";
import { type ClosedServices, formatFrom, formatUntil } from "../deadlines.ts";
import { mostSingleLines } from "../forecast.ts";
import { formatWeekdayAndDate } from "../instants.ts";
import { type ServiceCode, serviceCodes, services } from "../services.ts";
import type { ClosedReason } from "./sales.ts";
import type { Closure, DayRange } from "./shop-settings.ts";

/** A message about what cannot be ordered, or about days off, on every page that promises an hour. */
export interface SalesNotice {
	kind: "closed" | "info";
	title: string;
	text: string;
}

interface SalesState {
	closure: Closure | null;
	closed: ClosedServices;
	reasons: Partial<Record<ServiceCode, ClosedReason>>;
	daysOff: readonly DayRange[];
	now: Date;
}

/** Why nothing, or a service, cannot be ordered, as the form, the payment page and the API say it. */
export function describeRefusal(service: ServiceCode, { closure, closed, reasons, now }: Omit<SalesState, "daysOff">): string {
	const reason = reasons[service];
	const until = closed[service] ?? null;
	if (reason === "closure") return [describeClosure(until, now), closure?.sentence ?? ""].filter((text) => text !== "").join(" ");
	const { name } = services[service];
	if (reason === "full") {
		const from = until ? ` Réessayez à partir de ${formatFrom(until, now).replace(/^à /, "")}.` : "";
		return `Le ${name} est complet\u00a0: nous ne prenons pas plus de commandes que nous ne pouvons en traiter à l’heure.${from}`;
	}
	return `Le ${name} n’est pas proposé ${until ? formatUntil(until, now) : "pour le moment"}.`;
}

/**
 * Why lines of a purchase cannot be sold at the hours that the desk can keep; null when all can.
 * @param wanted the service of each line. @param lines whether its hour is too late.
 */
export function describeTooLate(wanted: readonly ServiceCode[], lines: readonly { tooLate: boolean }[]): string | null {
	const late = wanted.filter((_, index) => lines[index]?.tooLate);
	if (late.length === 0) return null;
	if (wanted.length <= mostSingleLines)
		return "Nous ne pouvons pas servir autant d’extraits à l’heure promise. Retirez des lignes, ou réessayez plus tard.";
	const express = late.filter((service) => service === "express").length;
	if (express > 0)
		return `Pour ${express} de vos ${wanted.length} extraits, le ${services.express.name} n’irait pas plus vite que le ${services.standard.name} en ce moment. Choisissez le ${services.standard.name} pour ${express === 1 ? "celui-ci" : "ceux-ci"}, ou retirez ${express === 1 ? "une ligne" : "des lignes"}.`;
	const most = wanted.length - late.length;
	return `Nous ne pouvons pas promettre plus de ${most} de ces extraits dans les cinq jours ouvrés qui viennent. Gardez-en ${most}, ou réessayez plus tard.`;
}

const describeClosure = (until: Date | null, now: Date) =>
	`Les commandes sont suspendues ${until ? formatUntil(until, now) : "pour le moment"}.`;

/** What pages say: the closure alone, else each closed service, and the days off. */
export function formatSalesNotice(state: SalesState & { nextOpening: Date | null; isLater: boolean }): SalesNotice[] {
	const { closure, closed, reasons, daysOff, isLater, now } = state;
	const notices: SalesNotice[] = [];
	if (closure) {
		const sentence = closure.sentence ?? "Nous préférons ne rien promettre que nous ne puissions tenir.";
		const text = `${sentence} Les commandes déjà payées restent valables, avec leur heure promise.`;
		notices.push({ kind: "closed", title: describeClosure(closure.until ? new Date(closure.until) : null, now), text });
	} else {
		const shut = serviceCodes.filter((code) => code in closed);
		if (shut.length === serviceCodes.length) notices.push(describeFullShop(closed, now));
		else for (const code of shut) notices.push(describeShutService(code, { closed, reason: reasons[code], now }));
	}
	if (isLater && !closure)
		notices.push({
			kind: "info",
			title: "Nous avons beaucoup de commandes\u00a0: l’heure promise est plus tardive que d’habitude.",
			text: "Elle nous engage comme les autres.",
		});
	if (daysOff.length > 0 && !closure)
		notices.push({
			kind: "info",
			title: `Nous sommes fermés ${joinRanges(daysOff)}.`,
			text: "Les heures promises en tiennent compte.",
		});
	return notices;
}

/** Every service has reached its limit. */
function describeFullShop(closed: ClosedServices, now: Date): SalesNotice {
	const [first] = Object.values(closed)
		.flatMap((reopening) => reopening ?? [])
		.sort((a, b) => a.getTime() - b.getTime());
	return {
		kind: "closed",
		title: first ? `Vous pourrez commander au plus tôt ${formatFrom(first, now)}.` : "Vous ne pouvez pas commander pour le moment.",
		text: "Nous avons reçu autant de commandes que nous pouvons en traiter à l’heure. Les commandes déjà payées sont traitées normalement.",
	};
}

function describeShutService(
	code: ServiceCode,
	{ closed, reason, now }: { closed: ClosedServices; reason: ClosedReason | undefined; now: Date },
): SalesNotice {
	const { name } = services[code];
	const until = closed[code] ?? null;
	const others = "Les autres services restent disponibles, à l’heure indiquée pour chacun.";
	if (reason === "full")
		return {
			kind: "closed",
			title: until ? `Le ${name} est complet. Il rouvre au plus tôt ${formatFrom(until, now)}.` : `Le ${name} est complet.`,
			text: `Nous avons reçu autant de commandes que nous pouvons en traiter à l’heure. ${others}`,
		};
	return { kind: "closed", title: `Le ${name} n’est pas proposé ${until ? formatUntil(until, now) : "pour le moment"}.`, text: others };
}

const toInstant = (day: string) =>
	new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: "Europe/Paris", plainTime: "12:00" }).epochMilliseconds);

/** « le jeudi 24 décembre », « du jeudi 24 au vendredi 25 décembre » */
export function formatDayRange({ from, to }: DayRange): string {
	const [first, last] = [formatWeekdayAndDate(toInstant(from)), formatWeekdayAndDate(toInstant(to))];
	if (from === to) return `le ${first}`;
	const month = last.split(" ").at(-1) ?? "";
	return `du ${from.slice(0, 7) === to.slice(0, 7) ? first.slice(0, -month.length - 1) : first} au ${last}`;
}

const listFormat = new Intl.ListFormat("fr-FR", { type: "conjunction" });
const joinRanges = (ranges: readonly DayRange[]) => listFormat.format(ranges.map(formatDayRange));
