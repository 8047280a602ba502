import { data } from "react-router";
import { refusalContext } from "../shop.ts";
import { SearchDrawing } from "../ui/drawings/search-drawing.tsx";
import { ErrorPage } from "../ui/error-page.tsx";
import type { Route } from "./+types/not-found";

export const handle = { scripts: false };

/** All URLs without a route, and requests refused before their route. The error page answers them. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = context.get(refusalContext);
	throw data(refusal?.sentence ?? null, { status: refusal?.status ?? 404 });
}
export const action = loader;

export default function NotFound() {
	return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} drawing={SearchDrawing} />;
}
