import { contactPage } from "../content/contact.ts";
import { ContactPage } from "../content/contact-page.tsx";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/contact";
import { describeMessagePage, takeMessage } from "./message-form.ts";

export const handle = { scripts: false };

export const loader = (args: Route.LoaderArgs) => describeMessagePage(args, contactPage);

export const action = (args: Route.ActionArgs) => takeMessage(args, "contact");

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.sent });

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
	return <ContactPage {...loaderData} refused={actionData} />;
}
