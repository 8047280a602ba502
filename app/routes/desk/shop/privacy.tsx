import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { describePerson, readAddress, readPerson } from "../../../desk/privacy/describe-person.server.ts";
import { PrivacyPage } from "../../../desk/privacy/privacy-page.tsx";
import { keepUnsent, readUnsentForm } from "../../../desk/shell/keep-page.ts";
import { readDeskForm } from "../../../desk/shell/read-desk-form.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { useLastAnswer } from "../../../desk/shell/use-last-answer.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/privacy";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Données personnelles – bureau" }];

export function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "privacy");
	return null;
}

/** The search is a form that is sent, because an address must not be in a URL. */
export async function action(args: Route.ActionArgs) {
	const { request, context } = args;
	requireOperator(context, "privacy");
	const form = await readDeskForm(request.clone());
	if (form.get("do") !== "find") return answerActForm(args);
	const email = readAddress(form.get("email"));
	if (email === null)
		return { typed: { email: String(form.get("email") ?? "").slice(0, 300), error: "Cette adresse e-mail n’est pas valable." } };
	const data = await readPerson(context.get(shopContext), getActor(context), email, "find-person");
	return { person: describePerson(data) };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const form = await readUnsentForm(request);
	if (form.get("do") !== "find") return keepUnsentAct(request, async () => (await serverAction()) as never);
	const email = String(form.get("email") ?? "");
	return keepUnsent(
		() => serverAction(),
		(_why, error) => ({ typed: { email, error } }),
	);
}

export default function PrivacyRoute({ actionData: answered }: Route.ComponentProps) {
	const actionData = useLastAnswer(answered);
	const person = actionData && "person" in actionData ? (actionData.person ?? null) : null;
	const typed = actionData && "typed" in actionData ? (actionData.typed ?? null) : null;
	return <PrivacyPage person={person} typed={typed} />;
}
