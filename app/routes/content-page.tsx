import { href } from "react-router";
import { typedFromEntries } from "../../server/types/objects.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { computePromiseWeek } from "../catalogue/promise-week.ts";
import { serviceCodes } from "../catalogue/services.ts";
import { getHighlight, listClaims, openings, people, statistics, testimonials } from "../content/claims.ts";
import { ContentPage } from "../content/content-page.tsx";
import { createContentParts } from "../content/content-parts.tsx";
import { faq } from "../content/faq.ts";
import { fillIn } from "../content/fill-in.ts";
import { describeRecipient, findRecipientKind, listRecipientCards } from "../content/recipients/describe-recipients.ts";
import { product, questionsPage } from "../content/structured-data.ts";
import { isContentPage } from "../content/text.ts";
import { getBreadcrumb, getText } from "../content/texts.ts";
import { getWatchVariables } from "../content/variables.ts";
import { shopContext } from "../shop.ts";
import { JsonLd } from "../ui/json-ld.tsx";
import { pageMeta, useSite } from "../ui/site.ts";
import type { Route } from "./+types/content-page";

export const handle = { scripts: false, sells: true };

/** Every content page: app/content/texts/<url>.md. */
export async function loader({ pattern, context }: Route.LoaderArgs) {
	const { environment, textVariables, readSales, readWatch, now } = context.get(shopContext);
	const variables = { ...textVariables, ...getWatchVariables(await readWatch()) };
	const address = `/${pattern}`; // the pattern of routes.ts, since the URL may be typed as /CGV
	const text = getText(address);
	if (!isContentPage(text)) throw new Error(`${address} is routed as a content page, but a component places its text`);
	const sales = await readSales();
	const kind = findRecipientKind(address);
	return {
		text: fillIn(text, variables),
		places: fillIn(getBreadcrumb(address), variables),
		questions: text.layout === "questions" ? fillIn(faq, variables) : [],
		values: {
			demo: !environment.production,
			people: listClaims(people, environment),
			openings: listClaims(openings, environment),
			statistics: listClaims(statistics, environment),
			testimonials: listClaims(testimonials, environment),
			highlight: getHighlight(environment),
			deadlines: formatDeadlines(now(), sales),
			recipient: kind && describeRecipient(kind),
			recipientCards: address === href("/destinataires") ? listRecipientCards() : [],
			weeks: typedFromEntries(serviceCodes.map((code) => [code, computePromiseWeek(code, now(), sales)] as const)),
		},
		closed: sales.closed,
	};
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function ContentPageRoute({ loaderData: { text, places, questions, values, closed } }: Route.ComponentProps) {
	const site = useSite();
	const sold = serviceCodes.filter((code) => text.sells === code || text.sells === "all");
	return (
		<>
			<ContentPage text={text} places={places} parts={createContentParts(values)} />
			{site && sold.length > 0 && <JsonLd data={product(site, sold, closed)} />}
			{questions.length > 0 && <JsonLd data={questionsPage(questions)} />}
		</>
	);
}
