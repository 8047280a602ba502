import { formatEuros } from "../../../catalogue/money.ts";
import { services } from "../../../catalogue/services.ts";
import { formatExtractCount } from "../../../orders/order.ts";
import { setFrenchSpaces } from "../../../ui/french-spaces.ts";
import type { PurchaseTotals } from "./totals.ts";

/**
 * What is ordered, a row for each service: how many, at what price, by when it is there. A total that waits for a service says so.
 * @param live it follows what is chosen in its form.
 */
export function PurchaseSummary({ totals, live = false }: { totals: PurchaseTotals; live?: boolean }) {
	const isKnown = totals.count > 0 && totals.withoutService === 0;
	return (
		<>
			<dl className="figures border-t border-line pt-3 [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
				{totals.services.map(({ code, count, price, deadline }) => (
					<div key={code} className="mb-3">
						<dt>
							{count}&nbsp;× {services[code].name}
							<span className="block text-sm">
								{count > 1 && `${formatEuros(services[code].price)} l’extrait, `}
								{setFrenchSpaces(deadline ?? "indisponible pour le moment")}
							</span>
						</dt>
						<dd>{formatEuros(price)}</dd>
					</div>
				))}
				<div className="mt-1 text-lg font-semibold">
					<dt>Total TTC</dt>
					<dd aria-live={live ? "polite" : undefined}>{isKnown ? formatEuros(totals.price) : "à calculer"}</dd>
				</div>
			</dl>
			{totals.withoutService > 0 && <p className="mt-2 text-sm font-semibold">{describeWithoutService(totals.withoutService)}</p>}
			{totals.deadlineNote && <p className="mt-2 text-sm text-soft">{totals.deadlineNote}</p>}
		</>
	);
}

/** What the total waits for. */
export const describeWithoutService = (count: number): string =>
	count > 1
		? `${formatExtractCount(count)} n’ont pas encore de service\u00a0: choisissez-en un.`
		: "Un extrait n’a pas encore de service\u00a0: choisissez-en un.";
