import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import type { Deadline } from "../../catalogue/deadlines.ts";
import { describeDeadline } from "../../catalogue/describe-deadline.ts";
import type { CardSentences } from "../../catalogue/means-of-payment.ts";
import { formatEurosShort } from "../../catalogue/money.ts";
import type { Service } from "../../catalogue/services.ts";
import { PriceBreakdown } from "../../order-form/order-summary.tsx";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Siren, VatNumber } from "../../ui/siren.tsx";
import type { PaymentCustomer } from "./payment-customer.ts";

interface PaymentCardProps {
	service: Service;
	invoiced: PaymentCustomer["invoiced"];
	/** Of the service, if the customer pays now. */
	deadline: Deadline;
	/** The form with the same values, to choose another service; null when none can be ordered. */
	otherUrl: string | null;
	cards: CardSentences;
}

/** Who is invoiced, the total, the promised hour, the guarantee and the button. On wide screens it stays in view. */
export function PaymentCard({ service, invoiced, deadline, cards, otherUrl }: PaymentCardProps) {
	return (
		<PaymentFrame invoiced={invoiced} cards={cards}>
			<PriceBreakdown service={service.code} />
			<p className="mt-1 text-sm text-soft">TVA de 20&nbsp;% incluse. Aucun abonnement.</p>
			<p className="mt-2 text-sm sm:mt-3 sm:border-t sm:border-line sm:pt-3 sm:text-base">
				{setFrenchSpaces(describeDeadline(service.code, deadline))}
			</p>
			<Notice kind="done" title={service.highlight} className="mt-2 sm:mt-3" />
			<AcceptedCards cards={cards} />
			{deadline.open ? (
				<PayButton price={service.price} />
			) : (
				otherUrl && (
					<a href={otherUrl} className={button("primary", "mt-3 w-full sm:mt-4")}>
						Choisir un autre service
					</a>
				)
			)}
		</PaymentFrame>
	);
}

export function AcceptedCards({ cards: { accepted } }: Pick<PaymentCardProps, "cards">) {
	return accepted && <p className="mt-2 text-sm text-soft sm:mt-3">{accepted}</p>;
}

interface PaymentFrameProps extends Pick<PaymentCardProps, "invoiced" | "cards"> {
	/** The price, the promised hour and the button. */
	children: ReactNode;
}

/** Who is invoiced, and how the payment works, around what is paid. */
export function PaymentFrame({ invoiced, cards, children }: PaymentFrameProps) {
	return (
		<section
			aria-labelledby="reglement"
			className="rounded-lg border border-line bg-sheet p-4 max-lg:max-w-form sm:p-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start high:lg:sticky high:lg:top-8"
		>
			<h2 id="reglement" className="mb-4 text-lg max-sm:sr-only">
				Règlement
			</h2>
			<InvoicedCustomer {...invoiced} />
			{children}
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

/** What the invoice will contain, beside the total. */
function InvoicedCustomer({ name, address, siren, vat }: PaymentCustomer["invoiced"]) {
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
		</div>
	);
}

/** Its text must state the obligation to pay (docs/rules.md, R12). */
export function PayButton({ price }: Pick<Service, "price">) {
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
