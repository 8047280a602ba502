import { useEffect } from "react";
import { href } from "react-router";
import { deletePaidDraft } from "../../../checkout/form/draft.ts";
import { button } from "../../../ui/button.tsx";
import { Page, Title } from "../../../ui/page.tsx";
import { PurchasePage } from "../purchase/purchase-page.tsx";
import type { RefusedForm } from "../refused-form.ts";
import { useLive } from "../use-live.ts";
import { ConfirmedOrder } from "./confirmed-order.tsx";
import type { Confirmation } from "./describe-confirmation.server.ts";

interface ConfirmationPageProps {
	confirmation: Confirmation | { state: "missing"; sentence: string };
	answer: RefusedForm | null;
}

/** The page to which the provider redirects after the payment. */
export function ConfirmationPage({ confirmation, answer }: ConfirmationPageProps) {
	const visible = confirmation.state === "order" ? confirmation : null;
	const paidAt = visible && visible.order.status !== "failed" ? visible.stepTimes[0] : null;
	useLive(visible?.liveUrl ?? null, answer);
	useEffect(() => {
		if (paidAt) deletePaidDraft(paidAt);
	}, [paidAt]);
	if (confirmation.state === "order") return <ConfirmedOrder {...confirmation} answer={answer} />;
	if (confirmation.state === "purchase") return <PurchasePage {...confirmation} fromSpace={false} answer={answer} />;
	if (confirmation.state === "missing") return <MissingOrder sentence={confirmation.sentence} />;
	return confirmation.state === "erased" ? <ErasedOrder /> : <ClosedConfirmation />;
}

function MissingOrder({ sentence }: { sentence: string }) {
	return (
		<Page width="form">
			<Title lead={sentence}>Commande introuvable</Title>
			<p className="mb-8">
				Si vous venez de payer, votre commande est enregistrée&nbsp;: retrouvez-la sur la page{" "}
				<a className="link" href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
				, avec votre e-mail et le numéro écrit dans l’e-mail de confirmation.{" "}
				<a className="link" href={href("/numero-perdu")}>
					Numéro perdu{"\u00a0"}?
				</a>
			</p>
			<a className={button("primary")} href={href("/")}>
				Retour à l’accueil
			</a>
		</Page>
	);
}

/** Shown after an erasure, requested by the customer or at the end of the retention period. */
function ErasedOrder() {
	return (
		<Page width="form">
			<Title lead="Elles ont été effacées à votre demande, ou à la fin de leur durée de conservation.">
				Les données de cette commande sont effacées
			</Title>
			<a className={button("secondary")} href={href("/contact")}>
				Nous écrire
			</a>
		</Page>
	);
}

/** Shown after the first day to other browsers than the one that paid: it only says that the order exists. */
function ClosedConfirmation() {
	return (
		<Page width="form">
			<Title lead="Pour protéger vos données, cette page ne montre plus votre commande.">Votre commande est enregistrée</Title>
			<p className="mb-8">
				Retrouvez-la sur la page de suivi, avec votre e-mail et le numéro de commande, écrit dans tous nos messages&nbsp;: il commence par{" "}
				<span className="figures whitespace-nowrap">KB-</span>.
			</p>
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
				<a className={button("quiet")} href={href("/contact")}>
					Nous écrire
				</a>
			</p>
		</Page>
	);
}
