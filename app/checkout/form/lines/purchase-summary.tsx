import { formatEuros } from "../../../catalogue/money.ts";
import { services } from "../../../catalogue/services.ts";
import { formatExtractCount } from "../../../orders/order.ts";
import { setFrenchSpaces } from "../../../ui/french-spaces.ts";
import type { PurchaseTotals } from "./totals.ts";

/**
 * What is ordered, by service, its price, and by when it is there.
 * @param live it follows what is chosen in its form.
 */
export function PurchaseSummary({ totals, live = false }: { totals: PurchaseTotals; live?: boolean }) {
	return (
		<>
			<dl className="figures border-t border-line pt-3 [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
				{totals.services.map(({ code, count, price, deadline }) => (
					<div key={code} className="mb-3">
						<dt>
							{count}&nbsp;× {services[code].name}
							{count > 1 && <span className="block text-sm text-soft">{formatEuros(services[code].price)} l’extrait</span>}
							{deadline && <span className="block text-sm">{setFrenchSpaces(deadline)}</span>}
						</dt>
						<dd>{formatEuros(price)}</dd>
					</div>
				))}
				<div className="mt-1 text-lg font-semibold">
					<dt>Total TTC</dt>
					<dd aria-live={live ? "polite" : undefined}>{formatEuros(totals.price)}</dd>
				</div>
			</dl>
			{totals.withoutService > 0 && <p className="mt-2 text-sm font-semibold">{describeWithoutService(totals.withoutService)}</p>}
			{totals.deadlineNote && <p className="mt-2 text-sm text-soft">{totals.deadlineNote}</p>}
		</>
	);
}

/** Which extracts the total is without. */
export const describeWithoutService = (count: number): string =>
	count > 1
		? `${formatExtractCount(count)} ne sont pas comptés\u00a0: choisissez leur service.`
		: "Un extrait n’est pas compté\u00a0: choisissez son service.";
