import { typedFromEntries, typedKeys } from "../../../server/types/objects.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import type { OperatorCause } from "../../orders/refunds/operator-causes.ts";
import { getMotive, type Motive } from "../../orders/refunds/refund-motive.ts";
import type { Refund } from "../../orders/refunds/refunds.store.server.ts";
import type { Month } from "../month.ts";
import { type Count, publishCount, publishSum } from "./hide-small.ts";
import type { MonthAvailability } from "./month-availability.ts";

/** Why orders are refunded, as the public figures say it. */
export const motiveLabels: Record<Motive, string> = {
	late: "retard",
	cancelled: "annulation avant la livraison",
	failed: "commande impossible à servir",
	wrong: "extrait erroné ou inutilisable",
	withdrawal: "rétractation",
	duplicate: "commande ou paiement en double",
	other: "autre décision de notre part",
};

export type OtherMotive = Exclude<Motive, "late">;

export const otherMotives = typedKeys(motiveLabels).filter((motive) => motive !== "late");

/** The orders of a service that were paid in a month. */
export interface DeliveryCounts {
	month: Month;
	service: ServiceCode;
	delivered: number;
	/** Delivered, or promised for an instant that has passed. */
	due: number;
	kept: number;
	/** In opening minutes, or working days for a letter; null without a delivery. */
	median: number | null;
	p95: number | null;
}

/** The refunds of a service that were asked for in a month. */
export interface RefundCount {
	month: Month;
	service: ServiceCode;
	reason: Refund["reason"];
	cause: OperatorCause | null;
	count: number;
}

export interface Deliveries {
	delivered: Count;
	kept: Count;
	/** Percent of the due orders, rounded down to a tenth, so that only all of them are 100 %; null when it is hidden. */
	share: number | null;
}

export interface ServiceMonth extends Deliveries {
	median: number | null;
	p95: number | null;
	refunds: { late: Count; other: Count; motives: Record<OtherMotive, Count> };
}

export interface StatisticsMonth {
	month: Month;
	/** It is not over. */
	isCurrent: boolean;
	services: Record<ServiceCode, ServiceMonth>;
	/** The sums of the services that they name: all, or those whose figures are published, when all would give away a hidden one. */
	all: Deliveries & { services: readonly ServiceCode[] };
	/** Null for a month of which no probe is stored. */
	availability: MonthAvailability | null;
}

export interface Statistics {
	/** The instant of the figures. */
	at: Date;
	/** Oldest first; the last one is not over. */
	months: readonly StatisticsMonth[];
}

interface CountedMonth {
	month: Month;
	isCurrent: boolean;
	deliveries: readonly DeliveryCounts[];
	refunds: readonly RefundCount[];
	availability: MonthAvailability | null;
}

const none = { delivered: 0, due: 0, kept: 0, median: null, p95: null };

/** Hides what is counted from too few orders. */
export function publishMonth({ month, isCurrent, deliveries, refunds, availability }: CountedMonth): StatisticsMonth {
	const counts = typedFromEntries(serviceCodes.map((code) => [code, deliveries.find(({ service }) => service === code) ?? none] as const));
	const services = typedFromEntries(
		serviceCodes.map((code) => {
			const refundsOfService = refunds.filter(({ service }) => service === code);
			return [code, { ...publishService(counts[code]), refunds: publishRefunds(refundsOfService) }] as const;
		}),
	);
	return { month, isCurrent, services, all: publishAll(counts), availability };
}

function publishService({ delivered, due, kept, median, p95 }: Omit<DeliveryCounts, "month" | "service">) {
	const published = publishCount(delivered);
	if (published === "few") return { delivered: published, kept: published, share: null, median: null, p95: null };
	const publishedKept = publishCount(kept);
	return { delivered: published, kept: publishedKept, share: getShare(publishedKept, due), median, p95 };
}

const getShare = (kept: Count, due: number) => (typeof kept === "number" ? Math.floor((kept * 1000) / due) / 10 : null);

function publishAll(counts: Record<ServiceCode, typeof none | DeliveryCounts>): StatisticsMonth["all"] {
	const sumUp = (services: readonly ServiceCode[]) => {
		const add = (key: "delivered" | "kept") => publishSum(services.map((code) => counts[code][key]));
		const due = services.reduce((sum, code) => sum + counts[code].due, 0);
		const kept = add("kept");
		return { delivered: add("delivered"), kept, share: getShare(kept, due), services };
	};
	const all = sumUp(serviceCodes);
	if (typeof all.delivered === "number" && typeof all.kept === "number") return all;
	const published = serviceCodes.filter((code) => typeof publishCount(counts[code].delivered) === "number");
	if (published.length > 0) return sumUp(published);
	return typeof all.delivered === "number" ? all : { delivered: all.delivered, kept: all.delivered, share: null, services: [] };
}

function publishRefunds(refunds: readonly RefundCount[]): ServiceMonth["refunds"] {
	const count = (motive: OtherMotive | "late") =>
		refunds.filter((refund) => getMotive(refund) === motive).reduce((sum, refund) => sum + refund.count, 0);
	return {
		late: publishCount(count("late")),
		other: publishSum(otherMotives.map(count)),
		motives: typedFromEntries(otherMotives.map((motive) => [motive, publishCount(count(motive))] as const)),
	};
}

/** Whether a month has a published figure on deliveries. */
export const hasDeliveries = ({ all }: StatisticsMonth): boolean => typeof all.delivered === "number";

/** What the home page quotes. */
export interface Quote extends Pick<StatisticsMonth, "month"> {
	share: number;
	delivered: number;
	/** Null: all. */
	services: readonly ServiceCode[] | null;
}

/**
 * Quotes the last finished month with enough deliveries. When its share is hidden nothing is quoted: an earlier and better month would
 * mislead.
 */
export function findQuote({ months }: Pick<Statistics, "months">): Quote | null {
	const last = months.findLast(({ isCurrent, all }) => !isCurrent && all.delivered !== "few");
	if (last === undefined) return null;
	const { month, all } = last;
	if (typeof all.delivered !== "number" || all.share === null) return null;
	return { month, share: all.share, delivered: all.delivered, services: all.services.length < serviceCodes.length ? all.services : null };
}
