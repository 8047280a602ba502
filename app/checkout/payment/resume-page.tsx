import type { ReactNode } from "react";
import { href } from "react-router";
import { type Cents, formatEuros } from "../../catalogue/money.ts";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { services } from "../../catalogue/services.ts";
import { formatExtractCount } from "../../orders/order.ts";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { Steps } from "../../ui/steps.tsx";
import type { PurchaseTotals } from "../form/lines/totals.ts";
import { orderEmailRefused } from "./checkout-sentences.ts";

interface UnpaidPurchase {
	/** Of its first order. */
	number: string;
	/** Of its only order; null for several. */
	company: { name: string; siren: string } | null;
	/** What is paid, and by when it is there. */
	totals: Pick<PurchaseTotals, "services" | "deadlineNote">;
	total: Cents;
}

/** The page of the provider's cancel link: the unpaid purchase, with a button to resume its payment. */
export function ResumePage({ purchase, error }: { purchase: UnpaidPurchase; error: string | undefined }) {
	return (
		<Page width="form">
			<Steps current={2} title="Paiement" />
			<Title lead={"Rien n’a été débité. Votre commande est conservée\u00a0: vous n’avez rien à ressaisir."}>
				Votre paiement n’est pas terminé
			</Title>
			{error && (
				<Notice kind="failed" title={error} live className="mb-8">
					{error !== orderEmailRefused && (
						<p>{error.endsWith(".") ? "Vous pourrez payer cette commande plus tard." : "Réessayez dans un instant."}</p>
					)}
				</Notice>
			)}
			<DescriptionList rows={[...describeOrders(purchase), ["Total TTC", formatEuros(purchase.total)]]} />
			{purchase.totals.deadlineNote && <p className="mt-2 text-sm text-soft">{purchase.totals.deadlineNote}</p>}
			<form method="post" className="mt-8 flex flex-wrap items-center gap-6">
				<button type="submit" className={button("primary")}>
					Reprendre le paiement
				</button>
				<a className={button("quiet")} href={href("/")}>
					Retour à l’accueil
				</a>
			</form>
		</Page>
	);
}

/** Company and service of one order; how many of each service for several. Each with its hour. */
function describeOrders({ number, company, totals }: UnpaidPurchase): [string, ReactNode][] {
	const rows = totals.services.map(({ code, count, deadline }): [string, ReactNode] => [
		company ? "Service" : services[code].name,
		setFrenchSpaces(`${company ? services[code].name : formatExtractCount(count)}, ${deadline ?? "indisponible pour le moment"}`),
	]);
	if (company === null) return [["Commande groupée", number], ...rows];
	return [["Commande", number], ["Entreprise", company.name], ["SIREN", <Siren key="siren" value={company.siren} />], ...rows];
}

export function ExpiredLinkPage() {
	return (
		<Page width="form">
			<Title lead={`Il permettait de payer votre commande pendant ${formatPeriod(retention.unpaidOrders)}.`}>Ce lien a expiré</Title>
			<p className="mb-8">
				Si vous avez déjà payé, votre commande est enregistrée&nbsp;: retrouvez-la sur la page de suivi. Sinon, rien n’a été débité, et vous
				pouvez passer une nouvelle commande.
			</p>
			<p className="flex flex-wrap items-center gap-6">
				<a className={button("primary")} href={href("/commande")}>
					Passer une nouvelle commande
				</a>
				<a className={button("secondary")} href={href("/suivi-commande")}>
					Suivre ma commande
				</a>
			</p>
		</Page>
	);
}
