import { href, useLocation } from "react-router";
import { isPosted, parseServiceCode } from "../catalogue/services.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextAreaField } from "../ui/field.tsx";
import { Focused } from "../ui/focused.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Steps } from "../ui/steps.tsx";
import type { FormPageData } from "./describe-form.server.ts";
import { EmailDoubt } from "./email-doubt.tsx";
import { CustomerFields } from "./fields/customer-fields.tsx";
import { useFormAction } from "./fields/use-form-action.ts";
import type { FormNotice } from "./form-notices.ts";
import type { FormState } from "./form-state.ts";
import { listCompanies } from "./form-values.ts";
import { isOrderable } from "./lines/checked-line.ts";
import { LineList } from "./lines/line-list.tsx";
import { maxPlaces } from "./lines/line-sentences.ts";
import { PurchaseSummary } from "./lines/purchase-summary.tsx";
import { maxLines } from "./lines/typed-lines.ts";
import { linesField, shownField } from "./read-form.ts";
import { ServiceChoice } from "./service-choice.tsx";

export interface ListFormPageProps extends FormPageData, FormState {
	/** How the orders can be paid (docs/rules.md, R200). */
	meansOfPayment: string;
	/** Why what was typed is not shown; null: it is. */
	masked: FormNotice | null;
}

const nothing = () => {};

/** The form with a list: the checked lines, then what the form of one extract asks. Its script keeps the total (follow-form.ts). */
export function ListFormPage(page: ListFormPageProps) {
	const { totals, errors, values, deadlines, doubtful, suggestions } = page;
	// without the anchor of a line that was visited, which would keep the focus from the errors
	const { pathname, search } = useLocation();
	const { lines: listError, ...fieldErrors } = errors;
	const summary = Object.entries(fieldErrors).map(([field, message]) => ({ field, message }));
	return (
		<Page width="page" className="max-sm:pt-5">
			<Steps current={1} title="Vérifiez la liste, complétez vos coordonnées" />
			<div className="max-sm:hidden">
				<Breadcrumb
					places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Plusieurs extraits" }]}
				/>
			</div>
			<Title>Commander plusieurs extraits</Title>
			<p className="-mt-4 mb-6 text-sm text-soft">{page.meansOfPayment}</p>
			<ErrorSummary errors={listError ? [{ field: "entreprises-titre", message: listError }, ...summary] : summary} />
			<FormNotices {...page} />
			<div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
				<form
					id="commande"
					method="post"
					action={`${pathname}${search}`}
					noValidate
					className="min-w-0"
					data-promises={JSON.stringify(page.promises)}
				>
					{/* Enter in a field continues to payment, never removes a line */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<Lines {...page} />
					<Section title="Service commun">
						<ServiceChoice chosen={parseServiceCode(values.service)} deadlines={deadlines} error={errors.service} onChoose={nothing} />
						<p className="mt-3 text-sm text-soft">
							Il s’applique aux lignes sans choix particulier. Pour chaque service, un e-mail vous prévient quand tout est prêt ou posté.
						</p>
					</Section>
					<CustomerFields
						values={values}
						errors={errors}
						answer={page}
						doubtful={null}
						companies={listCompanies(page.lines.filter(isOrderable))}
						hasList
						posted={totals.services.some(({ code }) => isPosted(code))}
						ticked
						remembers={null}
					/>
					<section id="total" aria-label="Résumé de commande" className="mb-6 scroll-mt-4 lg:hidden">
						<PurchaseSummary totals={totals} follows />
						<RecalculateButton anchor="total" />
					</section>
					{doubtful && <EmailDoubt field={doubtful} typed={values[doubtful]} meant={suggestions[doubtful] ?? ""} />}
					<button type="submit" className={button("primary", "max-sm:w-full")}>
						Continuer vers le paiement
					</button>
					<PrivateService short className="mt-8" />
				</form>
				<aside
					id="resume"
					aria-label="Résumé de commande"
					className="hidden rounded-lg border border-line bg-sheet p-6 lg:sticky lg:top-8 lg:block lg:self-start"
				>
					<h2 className="mb-4 text-lg">Résumé de commande</h2>
					<PurchaseSummary totals={totals} follows />
					<RecalculateButton anchor="resume" />
				</aside>
			</div>
		</Page>
	);
}

/** Without JavaScript, the server sums up what is chosen; the page comes back at its total. */
function RecalculateButton({ anchor }: { anchor: string }) {
	const formAction = useFormAction(anchor);
	return (
		<button
			type="submit"
			form="commande"
			name="intent"
			value="update"
			formAction={formAction}
			data-recalculate
			className={button("secondary", "mt-3")}
		>
			Recalculer le total
		</button>
	);
}

/** What the server says about the form beside wrong fields. */
function FormNotices({ lines, masked, refusal, unseen }: ListFormPageProps) {
	const wrong = lines.filter(({ problem }) => problem !== null).map(({ place }) => place);
	return (
		<>
			{masked && (
				<Notice kind="info" title={masked.title} className="mb-8">
					<p>{masked.text}</p>
				</Notice>
			)}
			{unseen.length > 0 && (
				<Focused>
					<Notice kind="warning" title="Vérifiez les lignes que vous venez d’ajouter ou de modifier" live className="mb-8">
						<p>
							Vous n’aviez pas encore vu ce que le registre en dit&nbsp;: <LineLinks places={unseen} />. Si tout est exact, continuez vers
							le paiement.
						</p>
					</Notice>
				</Focused>
			)}
			{refusal && (
				<Notice kind="failed" title={refusal} live className="mb-8">
					<p>Votre saisie est conservée.</p>
				</Notice>
			)}
			{wrong.length > 0 && (
				<Notice kind="warning" title={describeWrong(wrong.length, lines.length)} className="mb-8">
					<p>
						{describeCorrection(wrong.length, lines.length)}&nbsp;: <LineLinks places={wrong} />
					</p>
				</Notice>
			)}
		</>
	);
}

const LineLinks = ({ places }: { places: readonly number[] }) => (
	<>
		{places.slice(0, maxPlaces).map((place, index) => (
			<span key={place}>
				{index > 0 && ", "}
				<a className="link" href={`#ligne-${place}`}>
					ligne&nbsp;{place}
				</a>
			</span>
		))}
		{places.length > maxPlaces && "…"}
	</>
);

const describeWrong = (wrong: number, all: number): string =>
	`${wrong} ligne${wrong > 1 ? "s" : ""} sur ${all} ne ${wrong > 1 ? "seront pas commandées" : "sera pas commandée"}.`;

function describeCorrection(wrong: number, all: number): string {
	const [correct, without] = wrong > 1 ? ["Corrigez-les", "elles"] : ["Corrigez-la", "elle"];
	return wrong < all ? `${correct} ou continuez sans ${without}` : correct;
}

function Lines({ lines, noticeSource, shown, added }: Pick<ListFormPageProps, "lines" | "noticeSource" | "shown" | "added">) {
	return (
		<section className="pb-10">
			<h2 id="entreprises-titre" tabIndex={-1} className="mb-5 text-xl">
				{lines.length === 0 ? "Aucune entreprise" : `${lines.length} entreprise${lines.length > 1 ? "s" : ""}`}
			</h2>
			<input type="hidden" name={linesField} value={lines.length} />
			<input type="hidden" name={shownField} value={shown} />
			<LineList lines={lines} />
			{noticeSource && <p className="border-t border-line pt-3 text-sm text-soft">Annonces publiées. {noticeSource}</p>}
			{(lines.length < maxLines || added !== "") && (
				<Disclosure title="Ajouter des entreprises" open={lines.length === 0 || added !== ""} className="border-y">
					<TextAreaField
						name="entreprises"
						label="Une entreprise par ligne"
						hint="SIREN, SIRET ou nom, et votre référence après un point-virgule."
						rows={4}
						defaultValue={added}
						spellCheck={false}
						autoComplete="off"
						className="pb-4"
					/>
				</Disclosure>
			)}
			<button type="submit" name="intent" value="update" className={button("secondary", "mt-5")}>
				Mettre à jour la liste
			</button>
		</section>
	);
}
