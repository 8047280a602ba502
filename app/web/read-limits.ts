import { RateLimiterMemory } from "rate-limiter-flexible";
import type { ReadLimitName, ReadLimitSettings } from "../../server/environment/limit-settings.ts";
import { type LimitResult, takePoint } from "../../server/rate-limits.ts";

const minute = 60;

interface CountedRoute {
	/** As app/routes.ts writes it. */
	pattern: string;
	methods: readonly string[];
	limit: ReadLimitName;
	/** The query parameter that makes the page costly: without it, the request is not counted. */
	parameter?: string;
}

const reads = ["GET", "HEAD"];

const countedRoutes: readonly CountedRoute[] = [
	{ pattern: "/recherche", methods: reads, limit: "searches", parameter: "q" },
	{ pattern: "/api/entreprises", methods: reads, limit: "searches" },
	{ pattern: "/api/entreprises/suggestions", methods: reads, limit: "suggestions" },
	// without JavaScript, the order form searches its company by a button
	{ pattern: "/commande", methods: ["POST"], limit: "suggestions" },
	{ pattern: "/commande/:siren", methods: ["POST"], limit: "suggestions" },
	{ pattern: "/api/adresse/search", methods: reads, limit: "cities" },
	{ pattern: "/apercu.png", methods: reads, limit: "pictures" },
	{ pattern: "/apercu/*", methods: reads, limit: "pictures" },
	{ pattern: "/:file.xml", methods: reads, limit: "sitemaps" },
	// while an order waits for its payment, each asks the payment provider
	{ pattern: "/confirmation/:sessionId?", methods: [...reads, "POST"], limit: "orders" },
	{ pattern: "/suivi/:number", methods: [...reads, "POST"], limit: "orders" },
	{ pattern: "/paiement/reprendre/:token", methods: [...reads, "POST"], limit: "orders" },
];

export interface ReadLimits {
	/** Takes a point of the client if the request is one that is counted. @param pattern the pattern of its route. */
	take(request: Request, pattern: string, client: string): Promise<LimitResult>;
}

/**
 * Limits per client on what is costly to read. They protect the processor of one process, so each process counts for itself, in memory:
 * a counter is dropped with its minute. Orders and messages are counted in the database (rate-limits.ts).
 */
export function readLimits(settings: ReadLimitSettings): ReadLimits {
	if (settings === null) return { take: async () => ({ ok: true }) };
	const limiters = new Map(
		Object.entries(settings).map(([name, points]) => [name, new RateLimiterMemory({ keyPrefix: name, points, duration: minute })]),
	);
	return {
		async take({ method, url }, pattern, client) {
			const counted = countedRoutes.find((route) => route.pattern === pattern && route.methods.includes(method));
			const limiter = counted && limiters.get(counted.limit);
			if (!limiter) return { ok: true };
			if (counted.parameter && !new URL(url).searchParams.get(counted.parameter)?.trim()) return { ok: true };
			return takePoint(limiter, client);
		},
	};
}
