import { href } from "react-router";
import { documentLinkHours } from "../../../catalogue/link-lifetimes.ts";
import { formatPeriod } from "../../../catalogue/retention.ts";
import { button } from "../../../ui/button.tsx";
import { Page, Title } from "../../../ui/page.tsx";
import type { DocumentRefusal } from "./open-document.server.ts";

const invalidLink = "Vous ne pouvez pas ouvrir ce document";
const unavailable = "Document momentanément indisponible";

interface Refusal {
	status: number;
	title: string;
	sentence: string;
	/** Seconds. */
	retryAfter?: number;
}

/** Status and texts of a document link that opens no document. */
export const documentRefusals: Record<DocumentRefusal["code"], Refusal> = {
	tampered: {
		status: 403,
		title: invalidLink,
		sentence: "Ce lien n’est pas valide. Ouvrez le document depuis la page de suivi de votre commande.",
	},
	expired: {
		status: 410,
		title: invalidLink,
		sentence: `Ce lien a expiré\u00a0: il était valable ${formatPeriod({ hours: documentLinkHours })}. La page de suivi de votre commande vous en donne un nouveau.`,
	},
	frozen: {
		status: 403,
		title: invalidLink,
		sentence: "Le paiement de cette commande est contesté auprès de la banque\u00a0: ses documents ne peuvent pas être téléchargés.",
	},
	lost: {
		status: 503,
		title: unavailable,
		sentence: "Nous ne retrouvons pas ce document. Notre équipe est prévenue et le remettra en ligne dès que possible.",
		retryAfter: 300,
	},
	unavailable: {
		status: 503,
		title: unavailable,
		sentence: "Nous n’arrivons pas à ouvrir vos documents pour le moment. Votre lien reste valable\u00a0: réessayez dans quelques minutes.",
		retryAfter: 300,
	},
};

type DocumentRefusalPageProps = Pick<Refusal, "title" | "sentence"> & {
	/** False for the second address, which has no order to track. */
	hasOrder?: boolean;
};

export function DocumentRefusalPage({ title, sentence, hasOrder = true }: DocumentRefusalPageProps) {
	return (
		<Page width="form">
			<Title lead={sentence}>{title}</Title>
			{hasOrder && (
				<a className={button("primary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
			)}
		</Page>
	);
}
