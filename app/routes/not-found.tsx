import { data } from "react-router";
import { refusalContext } from "../shop.ts";
import type { Route } from "./+types/not-found";

export const handle = { scripts: false };

/** Every address that no other route answers, and what was refused before any route saw it. The page itself is the error page of root.tsx. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = context.get(refusalContext);
	throw data(refusal?.sentence ?? null, { status: refusal?.status ?? 404 });
}
export const action = loader;

export default function NotFound() {
	return null;
}
