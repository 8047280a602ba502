import { data, href } from "react-router";
import { fillIn } from "../content/fill-in.ts";
import { describeAnswer, questions, readChoices } from "../content/kbis-need/kbis-need.ts";
import { KbisNeedPage } from "../content/kbis-need/kbis-need-page.tsx";
import { getText } from "../content/texts.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/kbis-need";

export const handle = { scripts: false, sells: true };

/** Without a query the page shows the questions; with replies it shows the result, or the missing reply. */
export function loader({ request, context }: Route.LoaderArgs) {
	const variables = context.get(shopContext).textVariables;
	const query = new URL(request.url).searchParams;
	const chosen = readChoices(query);
	const { demande, entreprise, forme } = chosen;
	const replied = Object.keys(questions).some((name) => query.has(name));
	const found = demande && entreprise ? describeAnswer({ demande, entreprise, forme }) : null;
	const errors = {
		...(replied && !demande && { demande: questions.demande.missing }),
		...(replied && !entreprise && { entreprise: questions.entreprise.missing }),
	};
	return data(
		{
			text: fillIn(getText(href("/ai-je-besoin-d-un-kbis")), variables),
			questions: fillIn(questions, variables),
			chosen,
			answer: found && fillIn(found.answer, variables),
			sold: found?.sold ?? false,
			errors,
		},
		{ status: Object.keys(errors).length > 0 ? 400 : 200 },
	);
}

/** Only the page without a query is indexed: it is the canonical URL of each result. */
export const meta: Route.MetaFunction = (page) => {
	const { text, answer, errors } = page.loaderData;
	const title = answer ? `${answer.heading.replace(/\.$/, "")} – ${text.title}` : text.title;
	return pageMeta(page, { title, description: text.description, picture: true, index: Object.keys(errors).length === 0 });
};

export default function KbisNeed({ loaderData }: Route.ComponentProps) {
	return <KbisNeedPage {...loaderData} />;
}
