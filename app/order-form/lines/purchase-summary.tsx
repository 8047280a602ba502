import { cents, formatEuros } from "../../catalogue/money.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { describeWithoutService } from "./count-sentences.ts";
import type { PurchaseTotals } from "./totals.ts";

/**
 * What is ordered, by service, its price, and by when all of it is there.
 * @param follows a script keeps it up to date (follow-form.ts), so that all its rows are in the page.
 */
export function PurchaseSummary({ totals, follows = false }: { totals: PurchaseTotals; follows?: boolean }) {
	const used = new Map(totals.services.map((service) => [service.code, service]));
	return (
		<div data-totals={follows ? "" : undefined}>
			<dl className="figures border-t border-line pt-3 [&>div]:flex [&>div]:justify-between [&>div]:gap-4">
				{serviceCodes
					.filter((code) => follows || used.has(code))
					.map((code) => (
						<div key={code} hidden={!used.has(code)} data-service={code}>
							<dt>
								<span data-count>{used.get(code)?.count ?? 0}</span>&nbsp;× {services[code].name}
								<span className="block text-sm text-soft">{formatEuros(services[code].price)} l’extrait</span>
							</dt>
							<dd data-price>{formatEuros(used.get(code)?.price ?? cents(0))}</dd>
						</div>
					))}
				<div className="mt-1 text-lg font-semibold">
					<dt>Total TTC</dt>
					<dd data-total aria-live={follows ? "polite" : undefined}>
						{formatEuros(totals.price)}
					</dd>
				</div>
			</dl>
			{(follows || totals.withoutService > 0) && (
				<p className="mt-2 text-sm font-semibold" data-without-service>
					{describeWithoutService(totals)}
				</p>
			)}
			{(follows || totals.deadline) && (
				<p className="mt-2 text-sm" data-deadline>
					{totals.deadline && setFrenchSpaces(totals.deadline)}
				</p>
			)}
		</div>
	);
}
