import { TrackingPage } from "./tracking-page.tsx";

/**
 * The page of who has no access to what they asked for: the form for e-mail and number.
 * @param refused why, for a browser that opened a part of it; null for others.
 */
export function RefusedPage({ number, refused }: { number: string; refused: string | null }) {
	const answer = refused === null ? undefined : { error: refused, email: "", reference: number };
	return <TrackingPage number={number} described={null} answer={answer} />;
}
