import { useNavigation } from "react-router";
import { type Deadlines, describeDeadline } from "../../catalogue/deadlines.ts";
import type { CardSentences } from "../../catalogue/means-of-payment.ts";
import { formatEurosShort } from "../../catalogue/money.ts";
import { type ServiceCode, services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Siren, VatNumber } from "../../ui/siren.tsx";
import { PurchaseSummary } from "../form/lines/purchase-summary.tsx";
import type { PurchaseTotals } from "../form/lines/totals.ts";
import { PriceBreakdown } from "../form/order-summary.tsx";
import type { PaymentCustomer } from "./payment-customer.ts";

interface PaymentCardProps {
	invoiced: PaymentCustomer["invoiced"];
	totals: PurchaseTotals;
	/** Of each service, if the customer pays now. */
	deadlines: Deadlines;
	/** Everything can be ordered now. */
	payable: boolean;
	/** What else can be done when it is not; null: nothing now. */
	other: { label: string; url: string } | null;
	cards: CardSentences;
}

/** Who is invoiced, the total, the promised hour, the guarantees and the button. On wide screens it stays in view. */
export function PaymentCard({ invoiced, totals, deadlines, cards, payable, other }: PaymentCardProps) {
	return (
		<section
			aria-labelledby="reglement"
			className="rounded-lg border border-line bg-sheet p-4 max-lg:max-w-form sm:p-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start high:lg:sticky high:lg:top-8"
		>
			<h2 id="reglement" className="mb-4 text-lg max-sm:sr-only">
				Règlement
			</h2>
			<InvoicedCustomer {...invoiced} />
			<Price totals={totals} deadlines={deadlines} />
			{cards.accepted && <p className="mt-2 text-sm text-soft sm:mt-3">{cards.accepted}</p>}
			{payable ? (
				<PayButton price={totals.price} />
			) : (
				other && (
					<a href={other.url} className={button("primary", "mt-3 w-full sm:mt-4")}>
						{other.label}
					</a>
				)
			)}
			<p className="mt-3 flex gap-2 text-sm text-soft">
				<Icon name="lock" className="mt-0.5 size-4.5" />
				<span>
					{cards.entry}
					<span className="mt-1 block">{cards.note}</span>
				</span>
			</p>
		</section>
	);
}

const vatNote = <p className="mt-1 text-sm text-soft">TVA de 20&nbsp;% incluse. Aucun abonnement.</p>;

/** The price of one extract in its parts, with its hour; of several by service, with the hour of the last. */
function Price({ totals, deadlines }: Pick<PaymentCardProps, "totals" | "deadlines">) {
	const [only] = totals.services;
	if (only && totals.count === 1)
		return (
			<>
				<PriceBreakdown service={only.code} />
				{vatNote}
				<p className="mt-2 text-sm sm:mt-3 sm:border-t sm:border-line sm:pt-3 sm:text-base">
					{setFrenchSpaces(describeDeadline(only.code, deadlines[only.code]))}
				</p>
				<Notice kind="done" title={services[only.code].highlight} className="mt-2 sm:mt-3" />
			</>
		);
	return (
		<>
			<PurchaseSummary totals={totals} />
			{vatNote}
			{totals.services.map(({ code }) => (
				<Notice key={code} kind="done" title={describeGuarantee(code, totals.services.length)} className="mt-3" />
			))}
		</>
	);
}

/** Beside other services, a guarantee names its own. */
const describeGuarantee = (code: ServiceCode, used: number): string =>
	used > 1 ? `${services[code].name}. ${services[code].highlight}` : services[code].highlight;

/** What the invoice will contain, beside the total. */
function InvoicedCustomer({ name, address, siren, vat, note }: PaymentCustomer["invoiced"]) {
	return (
		<div className="pb-3">
			<p>
				Facturé à <strong>{name}</strong>
			</p>
			<p className="text-sm text-soft">
				{address && <span className="block">{address}</span>}
				{siren && (
					<span className="mr-3 inline-block">
						SIREN <Siren value={siren} />
					</span>
				)}
				{vat && (
					<span className="inline-block">
						TVA <VatNumber value={vat} />
					</span>
				)}
			</p>
			{note && <p className="mt-2 text-sm">{note}</p>}
		</div>
	);
}

/** Its text must state the obligation to pay (docs/rules.md, R12). */
function PayButton({ price }: Pick<PurchaseTotals, "price">) {
	const busy = useNavigation().state !== "idle";
	return (
		<button type="submit" disabled={busy} className={button("primary", "mt-3 w-full sm:mt-4 flex-col gap-0!")}>
			{busy ? (
				"Redirection en cours..."
			) : (
				<>
					<span>Finaliser ma commande - {formatEurosShort(price)}€</span>
					<span className="text-sm">Commander avec obligation de paiement</span>
				</>
			)}
		</button>
	);
}
