import { contactPage } from "../content/contact.ts";
import { ContactPage } from "../content/contact-page.tsx";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/contact";
import { describeAbout, describeMessagePage, takeMessage } from "./message-form.ts";

export const handle = { scripts: false };

export const loader = (args: Route.LoaderArgs) => ({
	...describeMessagePage(args, contactPage),
	about: describeAbout(new URL(args.request.url).searchParams),
});

export const action = (args: Route.ActionArgs) => takeMessage(args, "contact");

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.sent && !page.loaderData.about });

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
	return <ContactPage {...loaderData} about={actionData ? actionData.about : loaderData.about} refused={actionData} />;
}
