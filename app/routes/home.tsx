import { serviceCodes, services } from "../catalogue/services.ts";
import { factsOf } from "../content/facts.ts";
import { faq } from "../content/faq.ts";
import { Hero, Indicators, Offers, Questions, SocialProof } from "../content/home-page.tsx";
import { fillIn, splitInline } from "../content/legal-text.ts";
import { badgesOf, indicatorsOf, shown, statistics, testimonials } from "../content/social-proof.ts";
import { shopContext } from "../shop.ts";
import { JsonLd } from "../ui/json-ld.tsx";
import { pageMeta, type Site, useSite } from "../ui/site.ts";
import type { Route } from "./+types/home.ts";

export const handle = { scripts: false };

export function loader({ context }: Route.LoaderArgs) {
	const { environment } = context.get(shopContext);
	const facts = factsOf(environment);
	return {
		openingHours: facts.openingHours,
		indicators: fillIn(indicatorsOf(environment), facts),
		questions: fillIn(faq, facts),
		proof: {
			demo: !environment.production,
			statistics: shown(statistics, environment),
			testimonials: shown(testimonials, environment),
			badges: badgesOf(environment),
		},
	};
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Extrait Kbis par e-mail ou par courrier",
		description:
			"Commandez l’extrait Kbis d’une société par son nom, son SIREN ou son SIRET. Par e-mail sous 2 ou 4 heures ouvrées, ou sur papier. Service privé et indépendant.",
	});

export default function Home({ loaderData: { openingHours, indicators, questions, proof } }: Route.ComponentProps) {
	const site = useSite();
	if (!site) return null;
	return (
		<>
			<Hero />
			<Indicators rows={indicators} />
			<Offers openingHours={openingHours} />
			<SocialProof {...proof} />
			<Questions site={site} questions={questions} />
			<JsonLd data={{ "@graph": [organization(site), product(site), questionsPage(questions)] }} />
		</>
	);
}

const organization = ({ shop, baseUrl }: Site) => ({
	"@type": "Organization",
	"@id": `${baseUrl}/#organization`,
	name: shop.name,
	legalName: shop.legalEntity,
	url: `${baseUrl}/`,
	email: shop.email,
	telephone: shop.phone,
});

const product = ({ shop, baseUrl }: Site) => ({
	"@type": "Product",
	name: "Extrait Kbis",
	description: `Extrait du registre du commerce et des sociétés, demandé au greffe et transmis par ${shop.name}, service privé.`,
	offers: serviceCodes.map((code) => ({
		"@type": "Offer",
		name: services[code].name,
		price: (services[code].price / 100).toFixed(2),
		priceCurrency: "EUR",
		availability: "https://schema.org/InStock",
		url: `${baseUrl}/commande?service=${code}`,
		seller: { "@id": `${baseUrl}/#organization` },
	})),
});

const questionsPage = (questions: typeof faq) => ({
	"@type": "FAQPage",
	mainEntity: questions.map(({ question, answer }) => ({
		"@type": "Question",
		name: question,
		acceptedAnswer: {
			"@type": "Answer",
			text: splitInline(answer)
				.map((part) => (typeof part === "string" ? part : "words" in part ? part.words : part.strong))
				.join(""),
		},
	})),
});
