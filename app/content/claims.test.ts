import { describe, expect, test } from "vitest";
import { sandboxTexts } from "../payments/sandbox/sandbox-texts.ts";
import { getBadges, getHighlight, getIndicators, listClaims, openings, people, statistics, testimonials } from "./claims.ts";

const lists = { statistics, testimonials, people, openings };

describe("claims that nobody has verified", () => {
	test.each(Object.entries(lists))("of %s are shown by the demo alone", (_, claims) => {
		expect(claims.length).toBeGreaterThan(2);
		expect(listClaims<(typeof claims)[number]>(claims, { production: false })).toEqual(claims);
		expect(listClaims<(typeof claims)[number]>(claims, { production: true })).toEqual([]);
	});

	test("of the team name the four roles of those who serve an order", () => {
		expect(people.map(({ role }) => role)).toEqual(["direction", "opérations", "support client", "développement"]);
	});

	test("a verified one is shown by all", () => {
		const [one, other] = [
			{ verified: true, source: "relevé" },
			{ verified: false, source: "exemple" },
		];
		expect(listClaims([one, other], { production: true })).toEqual([one]);
	});

	test("the mark of the recommended service says whether it is an example", () => {
		expect(getHighlight({ production: false })).toEqual({ label: "Plus populaire", example: true });
		expect(getHighlight({ production: true })).toEqual({ label: "Recommandé", example: false });
	});
});

const closed = { kind: "closed", text: "" } as const;

test.each([
	[{}, "Livraison en {expressTimeline}"],
	[{ express: closed }, "Livraison en {standardTimeline}"],
	[{ express: closed, standard: closed }, "Heure limite annoncée avant de payer"],
	[{ standard: closed }, "Livraison en {expressTimeline}"],
])("with %j closed, the first indicator is « %s »", (services, first) => {
	expect(getIndicators({ baseUrl: "http://localhost" }, services as Parameters<typeof getIndicators>[1])[0]).toBe(first);
});

test.each([
	["https://extraitpro.example", "SSL/RGPD", ["Connexion chiffrée", "RGPD", "Paiement", "24/7"]],
	["http://localhost/?https://", "RGPD", ["RGPD", "Paiement", "24/7"]],
])("a shop at %s says « %s »", (baseUrl, indicator, badges) => {
	expect(getIndicators({ baseUrl }, {})[1]).toBe(indicator);
	const shop = { host: "Hébergement du Marais, 3 rue des Tests" } as Parameters<typeof getBadges>[0]["shop"];
	expect(getBadges({ baseUrl, shop }, sandboxTexts).map(({ name }) => name)).toEqual(badges);
});
