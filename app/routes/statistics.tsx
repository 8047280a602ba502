import { href } from "react-router";
import { StatisticsPage } from "../books/statistics/statistics-page.tsx";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/statistics";

export const handle = { scripts: false };

export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	return { text: fillIn(getText(href("/statistiques")), shop.textVariables), statistics: await shop.statistics.read() };
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function StatisticsRoute({ loaderData }: Route.ComponentProps) {
	return <StatisticsPage {...loaderData} />;
}
