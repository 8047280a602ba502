import { data } from "react-router";
import { refusalContext } from "../shop.ts";
import type { Route } from "./+types/not-found";

export const handle = { scripts: false };

/** All URLs without a route, and requests refused before their route. The error page of root.tsx renders the page. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = context.get(refusalContext);
	throw data(refusal?.sentence ?? null, { status: refusal?.status ?? 404 });
}
export const action = loader;

export default function NotFound() {
	return null;
}
