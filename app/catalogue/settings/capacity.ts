import { type ServiceCode, serviceCodes } from "../services.ts";
import type { FullServices } from "./sales.ts";
import type { Capacity } from "./shop-settings.ts";

/** The most orders of a purchase. */
export const maxLines = 200;

/** A paid order of the last hour, or an open payment. */
export interface Place {
	service: ServiceCode;
	/** Until then it counts. */
	freeAt: Date;
}

/**
 * The share of the common limit that the express service may use. It closes first: its orders are due first, and the others can be
 * promised for later.
 */
const expressShare = 4 / 5;

/**
 * Finds the services that have reached their own limit, or the common one, each with the earliest instant at which a place is free.
 */
export function findFull(capacity: Capacity, places: readonly Place[]): FullServices {
	const full: FullServices = {};
	for (const code of serviceCodes) {
		const { all } = capacity;
		const common = all === null ? null : code === "express" ? Math.ceil(all * expressShare) : all;
		const own = places.filter(({ service }) => service === code);
		const times = [findFreeAt(own, capacity[code]), findFreeAt(places, common)].flatMap((time) => time ?? []);
		if (times.length > 0) full[code] = new Date(Math.max(...times));
	}
	return full;
}

/** @returns when one place below the limit is free, in milliseconds; null when one is. */
function findFreeAt(places: readonly Place[], limit: number | null): number | null {
	if (limit === null || places.length < limit) return null;
	const times = places.map(({ freeAt }) => freeAt.getTime()).sort((a, b) => a - b);
	return times[places.length - limit] ?? null;
}
