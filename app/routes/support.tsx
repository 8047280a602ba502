import { subjects } from "../contact/contact-message.ts";
import { factsOf } from "../content/facts.ts";
import { orderQuestions } from "../content/faq.ts";
import { supportPage } from "../content/support.ts";
import { SupportPage } from "../content/support-page.tsx";
import { fillIn } from "../content/text.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/support";
import { describeMessagePage, takeMessage } from "./message-form.ts";

export const handle = { scripts: false };

export const loader = (args: Route.LoaderArgs) => ({
	...describeMessagePage(args, supportPage),
	subjects,
	questions: fillIn(orderQuestions, factsOf(args.context.get(shopContext).environment)),
});

export const action = (args: Route.ActionArgs) => takeMessage(args, "support");

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.sent });

export default function Support({ loaderData, actionData }: Route.ComponentProps) {
	return <SupportPage {...loaderData} refused={actionData} />;
}
