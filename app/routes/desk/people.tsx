import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { listPeople } from "../../desk/people/list-people.server.ts";
import { PeoplePage } from "../../desk/people/people-page.tsx";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/people";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Équipe – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "settings");
	return { me: operator.id, ...(await listPeople(context.get(shopContext))) };
}

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function PeopleRoute({ loaderData }: Route.ComponentProps) {
	return <PeoplePage {...loaderData} />;
}
