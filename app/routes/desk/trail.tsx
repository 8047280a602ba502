import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { listTrail } from "../../desk/trail/list-trail.server.ts";
import { TrailPage } from "../../desk/trail/trail-page.tsx";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/trail";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Journal – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context, "settings", "privacy");
	return listTrail(context.get(shopContext), new URL(request.url).searchParams);
}

export default function TrailRoute({ loaderData }: Route.ComponentProps) {
	return <TrailPage {...loaderData} />;
}
