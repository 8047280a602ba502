import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import type { Route } from "./+types/queue";

export const meta: Route.MetaFunction = () => [{ title: "Commandes – bureau" }];

export function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	return null;
}

export default function QueueRoute() {
	return <h1 className="text-2xl">Commandes</h1>;
}
