import { expect, test, vi } from "vitest";
import { createReadLimits } from "./read-limits.ts";

/** Which requests take a point from their client: docs/rules.md, R176. */

const onePoint = {
	pages: 1,
	searches: 1,
	suggestions: 1,
	lists: 1,
	cities: 1,
	pictures: 1,
	sitemaps: 1,
	orders: 1,
	archives: 1,
	verifications: 1,
};
const createTake = (limits: Parameters<typeof createReadLimits>[0]) => {
	const { take } = createReadLimits(limits);
	return async (method: string, pattern: string, query = "", client = "203.0.113.5") =>
		(await take(new Request(`http://localhost/x${query}`, { method }), pattern, client)).ok;
};

// requests that cost the database, the payment provider or the processor much
test.each([
	["GET", "/entreprise/:siren", ""],
	["HEAD", "/entreprise/:siren", ""],
	["GET", "/entreprise/:siren/alerte", ""],
	["GET", "/api/entreprises/:siren", ""],
	["GET", "/status-systeme", ""],
	["HEAD", "/status-systeme", ""],
	["GET", "/recherche", "?q=danone"],
	["HEAD", "/recherche", "?q=danone"],
	["GET", "/api/entreprises", ""],
	["HEAD", "/api/entreprises", ""],
	["GET", "/api/entreprises/:siren/annonces", ""],
	["HEAD", "/api/entreprises/:siren/annonces", ""],
	["GET", "/api/entreprises/suggestions", ""],
	["HEAD", "/api/entreprises/suggestions", ""],
	["POST", "/commande", ""],
	["POST", "/commande/:siren", ""],
	["GET", "/commande/plusieurs", "?commande=x"],
	["HEAD", "/commande/plusieurs", "?commande=x"],
	["POST", "/commande/plusieurs", ""],
	["GET", "/api/adresse/search", ""],
	["HEAD", "/api/adresse/search", ""],
	["GET", "/apercu.png", ""],
	["GET", "/apercu/*", ""],
	["HEAD", "/apercu/*", ""],
	["GET", "/:file.xml", ""],
	["HEAD", "/:file.xml", ""],
	["GET", "/verifier", "?empreinte=abc"],
	["HEAD", "/verifier", "?empreinte=abc"],
	["GET", "/api/verifier", ""],
	["GET", "/confirmation/:sessionId?", ""],
	["HEAD", "/confirmation/:sessionId?", ""],
	["POST", "/confirmation/:sessionId?", ""],
	["GET", "/suivi/:number", ""],
	["HEAD", "/suivi/:number", ""],
	["POST", "/suivi/:number", ""],
	["GET", "/suivi/:number/facture", ""],
	["HEAD", "/suivi/:number/facture", ""],
	["POST", "/suivi/:number/facture", ""],
	["GET", "/suivi/:number/ensemble", ""],
	["HEAD", "/suivi/:number/ensemble", ""],
	["POST", "/suivi/:number/ensemble", ""],
	["GET", "/partage/:token", ""],
	["HEAD", "/partage/:token", ""],
	["POST", "/partage/:token", ""],
	["GET", "/partage/fichier/:key", ""],
	["GET", "/documents/ensemble/:token", ""],
	["GET", "/paiement/reprendre/:token", ""],
	["HEAD", "/paiement/reprendre/:token", ""],
	["POST", "/paiement/reprendre/:token", ""],
])("counts %s %s%s", async (method, pattern, query) => {
	const take = createTake(onePoint);
	expect([await take(method, pattern, query), await take(method, pattern, query)]).toEqual([true, false]);
	expect(await take(method, pattern, query, "198.51.100.9")).toBe(true);
});

test.each([
	["GET", "/", ""],
	["GET", "/recherche", ""],
	["GET", "/recherche", "?q=%20&departement=75"],
	["GET", "/commande", ""],
	["GET", "/commande/:siren", ""],
	["GET", "/commande/plusieurs", ""],
	["GET", "/suivi-commande", ""],
	["GET", "/verifier", ""],
	["GET", "/verifier/:document", ""],
	["GET", "/sitemap.xml", ""],
	["POST", "/api/stripe/webhook", ""],
])("does not count %s %s%s", async (method, pattern, query) => {
	const take = createTake(onePoint);
	for (let times = 0; times < 5; times++) expect(await take(method, pattern, query)).toBe(true);
});

test("nothing is counted where the limits are off", async () => {
	const take = createTake(null);
	for (let times = 0; times < 3; times++) expect(await take("GET", "/entreprise/:siren")).toBe(true);
});

test("a client is told after how many seconds it may ask again", async () => {
	const { take } = createReadLimits(onePoint);
	const ask = () => take(new Request("http://localhost/x"), "/entreprise/:siren", "203.0.113.5");
	expect([await ask(), await ask()]).toMatchObject([{ ok: true }, { ok: false, retryAfter: 60 }]);
});

test("routes of one limit share its points", async () => {
	const take = createTake(onePoint);
	expect(await take("GET", "/recherche", "?q=a")).toBe(true);
	expect(await take("GET", "/api/entreprises")).toBe(false);
	expect(await take("GET", "/api/entreprises/suggestions")).toBe(true);
	expect(await take("POST", "/commande/:siren")).toBe(false);
	expect(await take("GET", "/apercu.png")).toBe(true);
	expect(await take("GET", "/apercu/*")).toBe(false);
	expect(await take("GET", "/suivi/:number")).toBe(true);
	expect(await take("POST", "/paiement/reprendre/:token")).toBe(false);
});

test("points return a minute after the first was taken", async () => {
	vi.useFakeTimers();
	try {
		const take = createTake({ ...onePoint, cities: 2 });
		const ask = () => take("GET", "/api/adresse/search");
		expect(await ask()).toBe(true);
		await vi.advanceTimersByTimeAsync(30_000);
		expect([await ask(), await ask()]).toEqual([true, false]);
		await vi.advanceTimersByTimeAsync(29_000);
		expect(await ask()).toBe(false);
		await vi.advanceTimersByTimeAsync(1001);
		expect([await ask(), await ask(), await ask()]).toEqual([true, true, false]);
	} finally {
		vi.useRealTimers();
	}
});
