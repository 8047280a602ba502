import { href, Link } from "react-router";
import { button } from "../../ui/button.tsx";
import { ActForm } from "../acts/act-form.tsx";
import type { MoneyOverview } from "./list-money.server.ts";

/** What comes before the refund of a payment that is not recorded here. */
const firstSteps = {
	recreate: "Pour rembourser\u00a0: recréez d’abord la commande, puis adoptez les réponses du prestataire.",
	adopt: "Ce paiement n’est pas encore enregistré ici. Pour rembourser\u00a0: adoptez-le d’abord.",
} as const;

/** What the comparison with the provider's books found. @param month whose accounts have the payouts; null: the operator may not open them. */
export function Differences({
	reconciliation,
	month,
}: Pick<MoneyOverview, "reconciliation"> & {
	month: MoneyOverview["month"] | null;
}) {
	return (
		<section className="mt-10" aria-labelledby="comparaison">
			<h2 id="comparaison" className="text-xl">
				Comparaison avec le prestataire
			</h2>
			<p className="mt-1 text-sm text-soft">
				{reconciliation
					? `Paiements comparés ${reconciliation.period}\u00a0: ${reconciliation.compared}. ${reconciliation.differences.length === 0 ? "Aucune différence." : ""}`
					: "Aucune comparaison n’a encore été faite\u00a0: elle a lieu chaque nuit."}
			</p>
			{reconciliation && reconciliation.differences.length > 0 && (
				<ol className="mt-2 divide-y divide-line border-y border-line">
					{reconciliation.differences.map(({ paymentId, orderId, number, label, here, there, may, first, isUnknown }) => (
						<li key={paymentId} className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[1fr_auto]">
							<div className="min-w-0">
								<p className="font-semibold">{label}</p>
								<p className="text-sm break-all text-soft">
									{paymentId}
									{number && `, ${number}`}
								</p>
								<p className="figures text-sm">
									Chez nous {here}, chez lui {there}
								</p>
								{first && <p className="mt-1 text-sm">{firstSteps[first]}</p>}
								{isUnknown && (
									<p className="mt-1 text-sm">
										Ni commande ni copie&nbsp;: cherchez-la dans les e-mails d’alerte reçus, sinon remboursez sur les pages du prestataire
										et écrivez au client.
									</p>
								)}
							</div>
							<div className="flex flex-wrap items-start gap-3">
								{may.recreate && <DifferenceForm act="recreate-order" orderId={orderId} label="Recréer" subject={paymentId} />}
								{may.adopt && <DifferenceForm act="adopt-payment" orderId={orderId} label="Adopter" subject={paymentId} />}
								{may.refund && number && (
									<Link to={href("/bureau/argent/:number", { number })} className={button("secondary")}>
										Rembourser
									</Link>
								)}
							</div>
						</li>
					))}
				</ol>
			)}
			{month && (
				<p className="mt-3 text-sm">
					Les virements du prestataire sont dans les{" "}
					<Link to={href("/bureau/comptes/:month", { month: month.month })} className="link inline-flex min-h-11 items-center">
						comptes du mois
					</Link>{" "}
					({month.name}).
				</p>
			)}
			<ActForm act="reconcile" order={null} className="mt-3">
				{({ busy }) => (
					<button type="submit" disabled={busy} className={button("secondary")}>
						Comparer maintenant
					</button>
				)}
			</ActForm>
		</section>
	);
}

function DifferenceForm({ act, orderId, label, subject }: { act: string; orderId: string | null; label: string; subject: string }) {
	return (
		<ActForm act={act} order={null}>
			<input type="hidden" name="lost" value={orderId ?? ""} />
			<button type="submit" className={button("secondary")}>
				{label}
				<span className="sr-only"> ({subject})</span>
			</button>
		</ActForm>
	);
}
