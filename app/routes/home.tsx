import { findQuote } from "../books/statistics/statistics.ts";
import { describeQuote } from "../books/statistics/statistics-labels.ts";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { computePromiseWeek } from "../catalogue/promise-week.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { maxLines } from "../checkout/form/lines/line-fields.ts";
import { FrontSearchBox } from "../companies/search/front-search.tsx";
import { getBadges, getHighlight, getIndicators } from "../content/claims.ts";
import { faq } from "../content/faq.ts";
import { fillIn } from "../content/fill-in.ts";
import { Choice, Doors, Hero, HourBand, Included, Offers, Questions } from "../content/home-page.tsx";
import { organization, product, questionsPage } from "../content/structured-data.ts";
import { getWatchVariables } from "../content/variables.ts";
import { shopContext } from "../shop.ts";
import { JsonLd } from "../ui/json-ld.tsx";
import { pageMeta, useSite } from "../ui/site.ts";
import type { Route } from "./+types/home.ts";

/** The first questions of /faq, which has all. */
const questionsOnHome = 5;

export const handle = { scripts: "on-demand", sells: true };

export async function loader({ context }: Route.LoaderArgs) {
	const { environment, textVariables, readSales, readWatch, now, statistics: figures, provider } = context.get(shopContext);
	const watched = await readWatch();
	const variables = { ...textVariables, ...getWatchVariables(watched) };
	const sales = await readSales();
	const published = await figures.readForQuote();
	const quote = published && findQuote(published);
	return {
		openingHours: variables.openingHours,
		highlight: getHighlight(environment),
		deadlines: formatDeadlines(now(), sales),
		weeks: { express: computePromiseWeek("express", now(), sales), standard: computePromiseWeek("standard", now(), sales) },
		closed: sales.closed,
		indicators: fillIn(getIndicators(environment, sales.closed), variables),
		questions: fillIn(faq.slice(0, questionsOnHome), variables),
		watched,
		badges: fillIn(getBadges(environment, provider.texts), {}),
		punctuality: quote && describeQuote(quote),
	};
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Extrait Kbis par e-mail ou par courrier",
		description: `Commandez l’extrait Kbis d’une société par son nom, son SIREN ou son SIRET. Par e-mail sous ${services.express.timeline}, ou ${services.standard.timeline} pour moins cher, ou sur papier. Service privé et indépendant.`,
	});

export default function Home({
	loaderData: { openingHours, highlight, deadlines, weeks, closed, indicators, questions, watched, badges, punctuality },
}: Route.ComponentProps) {
	const site = useSite();
	if (!site) return null;
	return (
		<>
			<Hero indicators={indicators} search={<FrontSearchBox />} />
			<HourBand deadlines={deadlines} weeks={weeks} />
			<Doors maxLines={maxLines} watched={watched} />
			<Included watched={watched} punctuality={punctuality} />
			<Choice badges={badges} />
			<Offers openingHours={openingHours} highlight={highlight} deadlines={deadlines} />
			<Questions questions={questions} />
			<JsonLd data={{ "@graph": [organization(site), product(site, serviceCodes, closed), questionsPage(questions)] }} />
		</>
	);
}
