import { describeDeadlines } from "../catalogue/deadlines.ts";
import { serviceCodes } from "../catalogue/services.ts";
import { markOf, openings, people, shown } from "../content/claims.ts";
import { faq } from "../content/faq.ts";
import { product, questionsPage } from "../content/structured-data.ts";
import { fillIn } from "../content/text.ts";
import { TextPage } from "../content/text-page.tsx";
import { textParts } from "../content/text-parts.tsx";
import { texts, wayTo } from "../content/texts.ts";
import { shopContext } from "../shop.ts";
import { JsonLd } from "../ui/json-ld.tsx";
import { pageMeta, useSite } from "../ui/site.ts";
import type { Route } from "./+types/text-page";

export const handle = { scripts: false };

/** Every page that is words alone: its words are app/content/texts/<address>.md. */
export function loader({ pattern, context }: Route.LoaderArgs) {
	const { environment, textVariables: facts, calendar, now } = context.get(shopContext);
	const address = `/${pattern}`; // as routes.ts writes it: somebody may have typed /CGV
	const text = texts[address];
	if (text === undefined) throw new Error(`routed as a page of words, but there is no app/content/texts${address}.md`);
	return {
		text: fillIn(text, facts),
		places: fillIn(wayTo(address), facts),
		questions: text.layout === "questions" ? fillIn(faq, facts) : [],
		values: {
			demo: !environment.production,
			people: shown(people, environment),
			openings: shown(openings, environment),
			mark: markOf(environment),
			deadlines: describeDeadlines(now(), calendar),
		},
	};
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function WordsPage({ loaderData: { text, places, questions, values } }: Route.ComponentProps) {
	const site = useSite();
	const sold = serviceCodes.filter((code) => text.sells === code || text.sells === "all");
	return (
		<>
			<TextPage text={text} places={places} parts={textParts(values)} />
			{site && sold.length > 0 && <JsonLd data={product(site, sold)} />}
			{questions.length > 0 && <JsonLd data={questionsPage(questions)} />}
		</>
	);
}
