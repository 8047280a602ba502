import { answerSearch } from "../../desk/search/answer-search.server.ts";
import { SearchPage } from "../../desk/search/search-page.tsx";
import { searchPage } from "../../desk/shell/desk-pages.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import type { Route } from "./+types/search";

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

export default function SearchRoute({ actionData }: Route.ComponentProps) {
	return <SearchPage answer={actionData} />;
}
