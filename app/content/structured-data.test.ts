import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import type { Site } from "../ui/site.ts";
import { organization, product, questionsPage } from "./structured-data.ts";

const parsed = parseEnvironment({ BASE_URL: "https://extraits.example" });
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop, baseUrl } = parsed.environment;
const site = { shop, baseUrl } as Site;
const seller = {
	"@type": "Organization",
	"@id": "https://extraits.example/#organization",
	name: shop.name,
	legalName: shop.legalEntity,
	url: "https://extraits.example/",
	email: shop.email,
	telephone: shop.phone,
};

test("the shop is named with its address on the web", () => {
	expect(organization(site)).toEqual(seller);
});

test("each service is offered by the shop at its price, those that are closed are out of stock", () => {
	const { image, offers, ...said } = product(site, serviceCodes, { express: new Date("2026-12-01T08:00Z") });
	expect(said).toMatchObject({ "@type": "Product", name: "Extrait Kbis" });
	expect(said.description).toContain(shop.name);
	expect(image).toBe("https://extraits.example/apercu.png");
	expect(offers).toEqual(
		serviceCodes.map((code) => ({
			"@type": "Offer",
			name: services[code].name,
			price: `${services[code].price / 100}.00`,
			priceCurrency: "EUR",
			availability: `https://schema.org/${code === "express" ? "OutOfStock" : "InStock"}`,
			url: `https://extraits.example/commande?service=${code}`,
			seller,
		})),
	);
});

test("answers lose their links", () => {
	const questions = [{ anchor: "prix", question: "Combien ?", answer: ["39 €, ", { link: "voir", url: "/tarifs" }, "."] }];
	expect(questionsPage(questions)).toEqual({
		"@type": "FAQPage",
		mainEntity: [{ "@type": "Question", name: "Combien ?", acceptedAnswer: { "@type": "Answer", text: "39 €, voir." } }],
	});
});
