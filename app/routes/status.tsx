import { href } from "react-router";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { shopContext } from "../shop.ts";
import { describeStatus } from "../status/describe-status.server.ts";
import { StatusPage } from "../status/status-page.tsx";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/status";

export const handle = { scripts: false, sells: true };

export const headers = () => ({ "cache-control": "no-store" });

export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	return { text: fillIn(getText(href("/status-systeme")), shop.textVariables), status: await describeStatus(shop) };
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function StatusRoute({ loaderData }: Route.ComponentProps) {
	return <StatusPage {...loaderData} />;
}
