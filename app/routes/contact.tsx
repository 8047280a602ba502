import { ContactPage } from "../customer/contact/contact-page.tsx";
import { answerMessageForm, describeAbout, describeMessagePage } from "../customer/contact/message-form.server.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/contact";

export const handle = { scripts: false };

export const loader = (args: Route.LoaderArgs) => ({
	...describeMessagePage(args, "contact"),
	about: describeAbout(new URL(args.request.url).searchParams),
});

export const action = (args: Route.ActionArgs) => answerMessageForm(args, "contact");

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.sent && !page.loaderData.about });

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
	return <ContactPage {...loaderData} about={actionData ? actionData.about : loaderData.about} refused={actionData} />;
}
