import { href } from "react-router";
import { serviceCodes } from "../catalogue/services.ts";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { describeStatus } from "../web/status/describe-status.server.ts";
import { StatusPage } from "../web/status/status-page.tsx";
import type { Route } from "./+types/status";

export const handle = { scripts: false, sells: true };

export const headers = () => ({ "cache-control": "no-store" });

export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const [status, { closed }] = await Promise.all([describeStatus(shop), shop.readSales()]);
	const closedCount = serviceCodes.filter((code) => code in closed).length;
	const sales = closedCount === 0 ? "open" : closedCount < serviceCodes.length ? "limited" : "closed";
	return { text: fillIn(getText(href("/status-systeme")), shop.textVariables), status, sales } as const;
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function StatusRoute({ loaderData }: Route.ComponentProps) {
	return <StatusPage {...loaderData} />;
}
