import type { ShouldRevalidateFunctionArgs } from "react-router";
import { FiguresPage } from "../../desk/figures/figures-page.tsx";
import { readFigures } from "../../desk/figures/read-figures.server.ts";
import { keepPage } from "../../desk/shell/keep-page.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/figures";

export const meta: Route.MetaFunction = () => [{ title: "Chiffres – bureau" }];

/** Figures of a period do not change from second to second: they are read again only for another period. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => args.currentUrl.search !== args.nextUrl.search && keepPage(args);

export function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context, "accounts", "settings");
	return readFigures(context.get(shopContext), new URL(request.url).searchParams);
}

export default function FiguresRoute({ loaderData }: Route.ComponentProps) {
	return <FiguresPage {...loaderData} />;
}
