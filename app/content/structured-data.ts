import type { ClosedServices } from "../catalogue/deadlines.ts";
import { type ServiceCode, services } from "../catalogue/services.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { toPlainText } from "../ui/markdown/rich-text.ts";
import type { Site } from "../ui/site.ts";
import type { Question } from "./text.ts";

/** Nodes of structured data for search engines (schema.org). */

export const organization = ({ shop, baseUrl }: Pick<Site, "shop" | "baseUrl">) => ({
	"@type": "Organization",
	"@id": `${absoluteUrl(baseUrl, "/")}#organization`,
	name: shop.name,
	legalName: shop.legalEntity,
	url: absoluteUrl(baseUrl, "/"),
	email: shop.email,
	telephone: shop.phone,
});

/** @param codes the services to list, with prices TTC. @param closed those that cannot be ordered now. */
export const product = ({ shop, baseUrl }: Site, codes: readonly ServiceCode[], closed: ClosedServices) => ({
	"@type": "Product",
	name: "Extrait Kbis",
	description: `Extrait du registre du commerce et des sociétés, demandé au greffe et transmis par ${shop.name}, service privé.`,
	image: absoluteUrl(baseUrl, "/apercu.png"),
	offers: codes.map((code) => ({
		"@type": "Offer",
		name: services[code].name,
		price: (services[code].price / 100).toFixed(2),
		priceCurrency: "EUR",
		availability: `https://schema.org/${code in closed ? "OutOfStock" : "InStock"}`,
		url: `${absoluteUrl(baseUrl, "/commande")}?service=${code}`,
		seller: organization({ shop, baseUrl }),
	})),
});

export const questionsPage = (questions: readonly Question[]) => ({
	"@type": "FAQPage",
	mainEntity: questions.map(({ question, answer }) => ({
		"@type": "Question",
		name: question,
		acceptedAnswer: { "@type": "Answer", text: toPlainText(answer) },
	})),
});
