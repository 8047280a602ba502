import { answerSearch } from "../../desk/search/answer-search.server.ts";
import type { SearchAnswer } from "../../desk/search/found-orders.ts";
import { SearchPage } from "../../desk/search/search-page.tsx";
import { searchPage } from "../../desk/shell/desk-pages.ts";
import { keepUnsent, readUnsentForm } from "../../desk/shell/keep-page.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { useLastAnswer } from "../../desk/shell/use-last-answer.ts";
import type { Route } from "./+types/search";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Rechercher – bureau" }];

const searchRoles = searchPage.roles ?? [];

export function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, ...searchRoles);
	return null;
}

export const action = (args: Route.ActionArgs) => {
	requireOperator(args.context, ...searchRoles);
	return answerSearch(args);
};

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const typed = String((await readUnsentForm(request)).get("q") ?? "");
	return keepUnsent(
		() => serverAction() as Promise<SearchAnswer>,
		(_why, sentence) => ({ typed, state: "unsent" as const, sentence }),
	);
}

export default function SearchRoute({ actionData }: Route.ComponentProps) {
	return <SearchPage answer={useLastAnswer(actionData)} />;
}
