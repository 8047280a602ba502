import { RateLimiterMemory } from "rate-limiter-flexible";
import type { ReadLimitName, ReadLimitSettings } from "../../server/environment/limit-settings.ts";
import { type LimitResult, takePoint } from "../../server/rate-limits.ts";

const minuteSeconds = 60;

interface CountedRoute {
	/** As in app/routes.ts. */
	pattern: string;
	methods: readonly string[];
	limit: ReadLimitName;
	/** Only requests with this query parameter count, because the page is cheap without it. */
	parameter?: string;
}

const readMethods = ["GET", "HEAD"];

/** A request in any spelling of its address counts: its pattern is the one that the framework finds (route-patterns.ts). */
export const countedRoutes: readonly CountedRoute[] = [
	{ pattern: "/entreprise/:siren", methods: readMethods, limit: "pages" },
	{ pattern: "/api/entreprises/:siren", methods: readMethods, limit: "pages" },
	{ pattern: "/entreprise/:siren/alerte", methods: readMethods, limit: "pages" },
	{ pattern: "/status-systeme", methods: readMethods, limit: "pages" },
	// each reads its file from the database
	{ pattern: "/cgv/version/:version", methods: readMethods, limit: "pages" },
	{ pattern: "/recherche", methods: readMethods, limit: "searches", parameter: "q" },
	{ pattern: "/api/entreprises", methods: readMethods, limit: "searches" },
	{ pattern: "/api/entreprises/:siren/annonces", methods: readMethods, limit: "searches" },
	{ pattern: "/api/entreprises/suggestions", methods: readMethods, limit: "suggestions" },
	// without JavaScript, the order form searches companies with a button
	{ pattern: "/commande", methods: ["POST"], limit: "suggestions" },
	{ pattern: "/commande/:siren", methods: ["POST"], limit: "suggestions" },
	// up to two hundred companies are found
	{ pattern: "/commande/plusieurs", methods: readMethods, limit: "lists", parameter: "commande" },
	{ pattern: "/commande/plusieurs", methods: ["POST"], limit: "lists" },
	{ pattern: "/api/adresse/search", methods: readMethods, limit: "cities" },
	{ pattern: "/apercu.png", methods: readMethods, limit: "pictures" },
	{ pattern: "/apercu/*", methods: readMethods, limit: "pictures" },
	{ pattern: "/:file.xml", methods: readMethods, limit: "sitemaps" },
	{ pattern: "/verifier", methods: readMethods, limit: "verifications", parameter: "empreinte" },
	{ pattern: "/api/verifier", methods: readMethods, limit: "verifications" },
	// while a payment is pending, each request asks the payment provider
	{ pattern: "/confirmation/:sessionId?", methods: [...readMethods, "POST"], limit: "orders" },
	{ pattern: "/suivi/:number", methods: [...readMethods, "POST"], limit: "orders" },
	{ pattern: "/suivi/:number/ensemble", methods: [...readMethods, "POST"], limit: "orders" },
	// each reads up to two hundred files
	{ pattern: "/documents/ensemble/:token", methods: readMethods, limit: "archives" },
	{ pattern: "/suivi/:number/facture", methods: [...readMethods, "POST"], limit: "orders" },
	// each shown page reads the whole file, to compare its hash
	{ pattern: "/partage/:token", methods: [...readMethods, "POST"], limit: "verifications" },
	{ pattern: "/partage/fichier/:key", methods: readMethods, limit: "verifications" },
	{ pattern: "/paiement/reprendre/:token", methods: [...readMethods, "POST"], limit: "orders" },
];

export interface ReadLimits {
	/** Takes a point from the client if the request counts. @param pattern the pattern of its route. */
	take(request: Request, pattern: string, client: string): Promise<LimitResult>;
}

/**
 * Limits costly reads per client. They protect the processor of one process, so each process counts in memory. Orders and messages
 * are counted in the database (rate-limits.ts).
 */
export function createReadLimits(settings: ReadLimitSettings): ReadLimits {
	if (settings === null) return { take: async () => ({ ok: true }) };
	const limiters = new Map(
		Object.entries(settings).map(([name, points]) => [name, new RateLimiterMemory({ keyPrefix: name, points, duration: minuteSeconds })]),
	);
	return {
		async take({ method, url }, pattern, client) {
			const countedRoute = countedRoutes.find((route) => route.pattern === pattern && route.methods.includes(method));
			const limiter = countedRoute && limiters.get(countedRoute.limit);
			if (!limiter) return { ok: true };
			if (countedRoute.parameter && !new URL(url).searchParams.get(countedRoute.parameter)?.trim()) return { ok: true };
			return takePoint(limiter, client);
		},
	};
}
