import { Form, href, useNavigation } from "react-router";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { getOrderSheet } from "./order/order-sheet.tsx";
import { TrackedOrderDetails, type TrackedOrderPage } from "./order/tracked-order.tsx";
import { destinationField } from "./page-parts.ts";
import { ReferenceFields } from "./reference-fields.tsx";
import { Refusal } from "./refusal.tsx";
import { type RefusedForm, sortRefusal } from "./refused-form.ts";
import { trackingSentences } from "./tracking-form.ts";
import { useLive } from "./use-live.ts";

/** A search that found nothing, with what was typed. `destination`: where the form leads, see page-parts.ts. */
interface RefusedSearch {
	error: string;
	email: string;
	reference: string;
	destination?: string;
}

interface TrackingPageProps {
	/** The order number in the URL; empty for the form. */
	number: string;
	/** Null: this browser has no access yet and sees the form. */
	described: TrackedOrderPage | null;
	/** The result of the last submit. */
	answer: RefusedSearch | RefusedForm | undefined;
}

/** The form that finds an order, or the order itself with live updates. */
export function TrackingPage({ number, described, answer }: TrackingPageProps) {
	useLive(described?.mayChange ? href("/suivi/:number/direct", { number }) : null, answer);
	const refused = answer && !("error" in answer) ? answer : null;
	if (described) return <TrackedOrderDetails {...described} {...sortRefusal(refused)} />;
	return <TrackingForm number={number} {...(answer && "error" in answer ? answer : {})} />;
}

function TrackingForm({ number, error, email, reference, destination }: { number: string } & Partial<RefusedSearch>) {
	const busy = useNavigation().state !== "idle";
	return (
		<Page width="form">
			<Title
				above={<HomeBreadcrumb label="Suivre ma commande" />}
				drawing={getOrderSheet(2)}
				lead="Indiquez votre e-mail et votre numéro de commande. Aucun compte n’est nécessaire."
			>
				Suivre votre commande
			</Title>
			<Form method="post" action={href("/suivi-commande")} noValidate>
				{error && (
					<Refusal sentence={error}>
						{error === trackingSentences.notFound && (
							<p>
								Vous n’avez plus le numéro{"\u00a0"}?{" "}
								<a className="link" href={href("/numero-perdu")}>
									Recevez-le par e-mail
								</a>
								.
							</p>
						)}
					</Refusal>
				)}
				<ReferenceFields email={email} reference={reference ?? number} />
				{destination && <input type="hidden" name={destinationField} value={destination} />}
				<div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2">
					<button type="submit" disabled={busy} className={button("primary")}>
						{busy ? "Recherche en cours..." : "Rechercher la commande"}
					</button>
					<a className="link inline-flex min-h-11 items-center" href={href("/numero-perdu")}>
						Numéro perdu{"\u00a0"}?
					</a>
					<a className="link inline-flex min-h-11 items-center" href={href("/mes-commandes")}>
						Toutes mes commandes
					</a>
				</div>
			</Form>
		</Page>
	);
}

/**
 * The page of who has no access to what they asked for: the form for e-mail and number.
 * @param refused why, for a browser that opened a part of it; null for others.
 */
export function RefusedPage({ number, refused }: { number: string; refused: string | null }) {
	const answer = refused === null ? undefined : { error: refused, email: "", reference: number };
	return <TrackingPage number={number} described={null} answer={answer} />;
}
