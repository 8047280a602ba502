import { orderQuestions } from "../content/faq.ts";
import { fillIn } from "../content/fill-in.ts";
import { getWatchVariables } from "../content/variables.ts";
import { subjects } from "../customer/contact/contact-message.ts";
import { answerMessageForm, describeMessagePage } from "../customer/contact/message-form.server.ts";
import { SupportPage } from "../customer/contact/support-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/support";

export const handle = { scripts: false };

export async function loader(args: Route.LoaderArgs) {
	const { textVariables, readWatch } = args.context.get(shopContext);
	const questions = fillIn(orderQuestions, { ...textVariables, ...getWatchVariables(await readWatch()) });
	return { ...describeMessagePage(args, "support"), subjects, questions };
}

export const action = (args: Route.ActionArgs) => answerMessageForm(args, "support");

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.sent });

export default function Support({ loaderData, actionData }: Route.ComponentProps) {
	return <SupportPage {...loaderData} refused={actionData} />;
}
