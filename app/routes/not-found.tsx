import { data } from "react-router";
import { refusalContext } from "../shop.ts";
import { SearchDrawing } from "../ui/drawings/drawings.tsx";
import { ErrorPage, type Refusal } from "../ui/error-page.tsx";
import type { Route } from "./+types/not-found";

export const handle = { scripts: false };

/** Refusals of what a page sent: it leads back there. */
const refusedForms: readonly number[] = [403, 408, 413];

/** All URLs without a route, and requests refused before their route. The error page answers them. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = context.get(refusalContext);
	if (refusal === undefined) throw data(null, { status: 404 });
	const { status, sentence, page } = refusal;
	const isForm = page !== null && refusedForms.includes(status);
	const answer: Refusal | string = isForm ? { sentence, back: { url: page, label: "Revenir à la page" } } : sentence;
	throw data(answer, { status });
}
export const action = loader;

export default function NotFound() {
	return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} drawing={SearchDrawing} />;
}
