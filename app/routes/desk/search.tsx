import { answerSearch } from "../../desk/search/answer-search.server.ts";
import { SearchPage } from "../../desk/search/search-page.tsx";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import type { Route } from "./+types/search";

export const meta: Route.MetaFunction = () => [{ title: "Rechercher – bureau" }];

export function loader({ context }: Route.LoaderArgs) {
	requireOperator(context);
	return null;
}

export const action = (args: Route.ActionArgs) => answerSearch(args);

export default function SearchRoute({ actionData }: Route.ComponentProps) {
	return <SearchPage answer={actionData} />;
}
