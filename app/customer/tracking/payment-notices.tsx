import { Form, useNavigation } from "react-router";
import { type Cents, formatEuros } from "../../catalogue/money.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The heading of an order or a purchase that is confirmed. */
export const orderConfirmed = "Commande confirmée\u00a0!";

/** @returns the heading of an order, or of a purchase whose first order it is, that is not confirmed; null once it is. */
export function getUnconfirmedHeading({ payable, cancelled, status }: { payable: boolean; cancelled: boolean; status: OrderStatus }) {
	if (payable) return "Votre paiement n’est pas terminé";
	if (cancelled) return "Votre commande est annulée";
	if (status === "pending") return "Votre paiement est en cours de vérification";
	return status === "failed" ? "Votre commande n’a pas abouti" : null;
}

/** The notice of an unpaid order, with a button to resume its payment (`intent=resume`). */
export function UnpaidNotice({ status, error }: { status: OrderStatus; error: string | null }) {
	const busy = useNavigation().state !== "idle";
	return (
		<Notice kind="waiting" title="Cette commande n’est pas payée.">
			<p>
				{status === "failed" && "Le délai de paiement est dépassé. "}
				Rien n’a été débité. Votre commande est conservée&nbsp;: vous n’avez rien à ressaisir.
			</p>
			{error && (
				<p role="alert" className="mt-3 font-semibold text-failed">
					{/* a sentence says when to come back */}
					{error.endsWith(".") ? error : `${error}. Réessayez dans un instant.`}
				</p>
			)}
			<Form method="post" className="mt-4">
				<button type="submit" name="intent" value="resume" disabled={busy} className={button("primary")}>
					{busy ? "Redirection en cours..." : "Reprendre le paiement"}
				</button>
			</Form>
		</Notice>
	);
}

export function DisputedNotice() {
	return (
		<Notice kind="info" title="Le paiement de cette commande est contesté auprès de la banque.">
			<p>Ses documents ne peuvent pas être téléchargés.</p>
		</Notice>
	);
}

export function RefundedNotice({ refunded }: { refunded: Cents }) {
	return (
		<Notice kind="done" title={`${formatEuros(refunded)} vous ont été remboursés.`}>
			<p>Vous les recevrez sur la carte utilisée pour le paiement. Votre banque peut mettre cinq à dix jours ouvrés à les afficher.</p>
		</Notice>
	);
}
