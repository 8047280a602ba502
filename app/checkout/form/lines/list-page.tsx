import { href } from "react-router";
import { formatEuros } from "../../../catalogue/money.ts";
import { formatPeriod, orderFormHours } from "../../../catalogue/retention.ts";
import { serviceCodes, services } from "../../../catalogue/services.ts";
import { Breadcrumb } from "../../../ui/breadcrumb.tsx";
import { button } from "../../../ui/button.tsx";
import { SheetDrawing } from "../../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextAreaField, TextField } from "../../../ui/field.tsx";
import { KbisNeedLink } from "../../../ui/kbis-need-link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Title } from "../../../ui/page.tsx";
import { PrivateService } from "../../../ui/private-service.tsx";
import { Steps } from "../../../ui/steps.tsx";
import type { ListState } from "./answer-list.server.ts";
import { maxLines } from "./line-fields.ts";

interface ListPageProps extends ListState {
	/** The stored form of the link has expired. */
	expired: boolean;
	/** Too many forms were sent. */
	refusal: string | null;
	/** How the orders can be paid (docs/rules.md, R200). */
	meansOfPayment: string;
}

/** The first step of a purchase of several orders: the list of the companies. */
export function ListPage({ text, errors, expired, refusal, meansOfPayment }: ListPageProps) {
	return (
		<Page width="page" className="max-sm:pt-5">
			<Steps current={1} title="Entreprises" />
			<div className="max-sm:hidden">
				<Breadcrumb
					places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Plusieurs extraits" }]}
				/>
			</div>
			<Title
				drawing={SheetDrawing}
				lead={`Jusqu’à ${maxLines} entreprises, un seul paiement, une seule facture. L’heure de chaque extrait est dite avant de payer.`}
			>
				Commander plusieurs extraits
			</Title>
			<ErrorSummary errors={Object.entries(errors).map(([field, message]) => ({ field, message }))} />
			{refusal && (
				<Notice kind="failed" title={refusal} live className="mb-8">
					<p>Votre saisie est conservée.</p>
				</Notice>
			)}
			{expired && (
				<Notice kind="warning" title="Votre liste a expiré" className="mb-8">
					<p>Nous la gardons {formatPeriod({ hours: orderFormHours })}. Rien n’a été débité.</p>
				</Notice>
			)}
			<div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-x-16">
				<form method="post" encType="multipart/form-data" noValidate action={href("/commande/plusieurs")} className="grid min-w-0 gap-6">
					<TextAreaField
						name="entreprises"
						label="Vos entreprises, une par ligne"
						hint={
							"Collez vos cellules Excel, ou écrivez un SIREN, un SIRET ou un nom par ligne. Vous pouvez ajouter votre référence après un point-virgule\u00a0: «\u00a0552032534\u00a0; dossier 2026-114\u00a0»."
						}
						rows={10}
						spellCheck={false}
						autoComplete="off"
						defaultValue={text}
						error={errors.entreprises}
					/>
					<TextField
						name="fichier"
						type="file"
						accept=".csv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
						optional
						label="Ou un fichier CSV ou Excel (.xlsx)"
						hint="Une colonne SIREN, SIRET ou nom, et si vous le souhaitez une colonne référence."
						error={errors.fichier}
					/>
					<div>
						<button type="submit" className={button("primary", "max-sm:w-full")}>
							Vérifier la liste
						</button>
						<p className="mt-3 text-sm text-soft">Vous verrez chaque entreprise et le total avant de donner vos coordonnées.</p>
					</div>
					<PrivateService />
				</form>
				<aside aria-labelledby="prix" className="lg:self-start">
					<h2 id="prix" className="mb-3 text-lg">
						Le prix de chaque extrait
					</h2>
					<dl className="figures divide-y divide-line border-y border-line">
						{serviceCodes.map((code) => (
							<div key={code} className="flex justify-between gap-4 py-2">
								<dt>
									{services[code].name}
									<span className="block text-sm text-soft">{services[code].delivery}</span>
								</dt>
								<dd className="font-semibold">{formatEuros(services[code].price)}</dd>
							</div>
						))}
					</dl>
					<p className="mt-3 text-sm text-soft">Prix TTC. Aucun abonnement.</p>
					<p className="mt-3 text-sm text-soft">{meansOfPayment}</p>
					<KbisNeedLink className="mt-3 text-sm" />
				</aside>
			</div>
		</Page>
	);
}
