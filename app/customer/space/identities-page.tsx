import { href } from "react-router";
import { CompanyName } from "../../companies/company-name.tsx";
import { button } from "../../ui/button.tsx";
import { Siren, VatNumber } from "../../ui/siren.tsx";
import type { BillingIdentity } from "./identities.server.ts";
import { SpaceFrame } from "./space-frame.tsx";

/** To whom the invoices of a mailbox were addressed. */
export function IdentitiesPage({ mailbox, identities }: { mailbox: string; identities: readonly BillingIdentity[] }) {
	const path = href("/mes-commandes/identites");
	return (
		<SpaceFrame current={path} mailbox={mailbox}>
			<p className="max-w-reading">
				Les sociétés et les personnes à qui vos factures ont été adressées, d’après vos commandes payées. Choisissez des coordonnées
				{"\u00a0"}: le formulaire sera déjà rempli, il ne vous restera qu’à choisir l’entreprise.
			</p>
			{identities.length === 0 ? (
				<p className="mt-6">Aucune facture pour le moment.</p>
			) : (
				<ul className="mt-6 border-t border-line">
					{identities.map((identity) => (
						<li key={identity.number} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4">
							<div className="min-w-0">
								<h2 className="text-lg">
									<CompanyName name={identity.name} />
								</h2>
								{identity.contact && <p className="text-sm">{identity.contact}</p>}
								<p className="text-sm text-soft">{identity.address}</p>
								{identity.siren && (
									<p className="text-sm text-soft">
										SIREN <Siren value={identity.siren} />
										{identity.vat && (
											<>
												, TVA <VatNumber value={identity.vat} />
											</>
										)}
									</p>
								)}
							</div>
							<form method="post" action={path}>
								<input type="hidden" name="number" value={identity.number} />
								<button type="submit" className={button("secondary")}>
									Commander avec ces coordonnées<span className="sr-only">{`\u00a0: ${identity.name}`}</span>
								</button>
							</form>
						</li>
					))}
				</ul>
			)}
		</SpaceFrame>
	);
}
