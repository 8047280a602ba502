import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { isPosted, parseServiceCode, type ServiceCode, suggestedService } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { Steps } from "../ui/steps.tsx";
import { AddressFields } from "./address-fields.tsx";
import { CompanyPicker } from "./company-picker.tsx";
import type { Draft } from "./draft.ts";
import { checkOrder, type OrderErrors, type OrderValues, readOrderValues } from "./order-form.ts";
import { ConsentFields, ContactFields, PreferenceFields } from "./order-form-fields.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { ServiceChoice } from "./service-choice.tsx";
import { useDraft } from "./use-draft.ts";

/** What the order page is filled with. */
interface OrderPageProps {
	values: OrderValues;
	errors: OrderErrors;
	company: CompanyPreview | null;
	found: ComponentProps<typeof CompanyPicker>["found"];
	/** The page's address says which company: it is not searched for. */
	fixed: boolean;
	deadlines: Record<ServiceCode, string>;
	/** False where the service is our own suggestion, to be confirmed. */
	serviceGiven: boolean;
	/** What is true of this installation: « Traitement sécurisé ». */
	assurances: readonly string[];
	/** Whether an earlier visit's draft is offered: not over what is already filled in. */
	offersDraft: boolean;
	/** The draft was taken up: the keyboard goes to its first field. */
	restored: boolean;
	onRestore: (draft: Draft) => void;
}

/** The order form of both entries, with its summary. Fields keep what is typed; the rules answer at once, the server again. */
export function OrderPage({
	values,
	company,
	found,
	fixed,
	deadlines,
	serviceGiven,
	assurances,
	offersDraft,
	restored,
	onRestore,
	...answer
}: OrderPageProps) {
	const form = useRef<HTMLFormElement>(null);
	const [errors, setErrors] = useState(answer.errors);
	const [summary, setSummary] = useState(answer.errors);
	const [chosen, setChosen] = useState(company);
	const picked = chosen?.eligibility === "none" ? null : chosen;
	const [confirmed, setConfirmed] = useState(serviceGiven);
	const [service, setService] = useState<ServiceCode>(parseServiceCode(values.service) ?? suggestedService);
	useEffect(() => {
		// a choice made before the page's JavaScript came
		setService((chosen) => parseServiceCode(form.current?.querySelector<HTMLInputElement>("[name=service]:checked")?.value) ?? chosen);
	}, []);
	const draft = useDraft(form, picked);
	const busy = useNavigation().state !== "idle";
	useEffect(() => {
		if (restored) form.current?.querySelector<HTMLInputElement>("#email")?.focus();
	}, [restored]);

	const clear = (field: string) => setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));

	return (
		<Page width="page">
			<Steps current={1} title="Informations client" />
			<Breadcrumb
				places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Informations" }]}
			/>
			<Title>Finaliser votre commande KBIS</Title>
			<KbisNeedLink className="-mt-4 mb-6" />
			<ul className="mb-8 flex flex-wrap gap-x-8 gap-y-2 text-sm text-soft">
				{assurances.map((assurance) => (
					<li key={assurance} className="inline-flex items-center gap-2">
						<Icon name="lock" /> {assurance}
					</li>
				))}
			</ul>
			<ErrorSummary errors={Object.entries(summary).map(([field, message]) => ({ field, message }))} />
			{draft.offered && offersDraft && (
				<Notice title="Reprendre votre brouillon ?" className="mb-8">
					<div className="flex flex-wrap gap-x-6">
						<button type="button" className={button("quiet")} onClick={() => draft.offered && onRestore(draft.offered)}>
							Reprendre
						</button>
						<button type="button" className={button("quiet")} onClick={draft.discard}>
							Supprimer le brouillon
						</button>
					</div>
				</Notice>
			)}
			<div className="grid gap-10 lg:grid-cols-[1fr_22rem]">
				<Form
					ref={form}
					method="post"
					noValidate
					className="order-2 min-w-0 lg:order-1"
					onInput={(event) => {
						clear((event.target as HTMLInputElement).name);
						draft.changed();
					}}
					onSubmit={(event) => {
						if ((event.nativeEvent as SubmitEvent).submitter?.getAttribute("name") === "intent") return;
						const now = readOrderValues(new FormData(event.currentTarget));
						const wrong = checkOrder({ ...now, siren: picked?.siren ?? now.siren });
						setErrors(wrong);
						setSummary(wrong);
						if (Object.keys(wrong).length > 0) event.preventDefault();
						else draft.save(); // for whoever comes back by the browser's own button
					}}
				>
					{/* Enter in a field continues to payment, never a search for the company */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<Section title={<>Service {!confirmed && <span className="font-sans text-sm text-soft">à confirmer</span>}</>}>
						<ServiceChoice
							chosen={service}
							deadlines={deadlines}
							onChoose={(code) => {
								setService(code);
								setConfirmed(true);
							}}
						/>
					</Section>
					<Section title="Entreprise">
						<CompanyPicker
							chosen={chosen}
							fixed={fixed}
							found={found}
							error={errors.siren}
							onPick={(company) => {
								setChosen(company);
								clear("siren");
								draft.changed();
							}}
						/>
					</Section>
					<Section title="Contact Principal">
						<ContactFields values={values} errors={errors} />
					</Section>
					<Section title="Adresse de Facturation">
						<TextField
							name="company"
							label="Société à facturer"
							optional
							defaultValue={values.company}
							error={errors.company}
							autoComplete="organization"
							className="mb-5"
						/>
						<AddressFields
							values={values}
							errors={errors}
							postal={isPosted(service)}
							onCity={() => {
								clear("city");
								draft.changed();
							}}
						/>
					</Section>
					<Section title="Préférences">
						<PreferenceFields values={values} />
					</Section>
					<Section title="Votre accord">
						<ConsentFields errors={errors} />
						<p className="mt-4 text-sm text-soft">
							Vos données servent à traiter votre commande et à remplir nos obligations (facture, preuve, sécurité) ; à rien d’autre sans
							votre accord. Voyez la{" "}
							<a className="link" href={href("/politique-confidentialite")}>
								politique de confidentialité
							</a>{" "}
							et les{" "}
							<a className="link" href={href("/cgv")}>
								conditions générales
							</a>
							.
						</p>
					</Section>
					<PrivateService short className="mb-6" />
					<div className="flex flex-wrap items-center gap-4">
						<button type="submit" className={button("primary", "max-sm:w-full")} disabled={busy}>
							{busy ? "Traitement en cours..." : "Continuer vers le paiement"}
						</button>
						<span role="status" className="text-sm text-soft">
							{draft.saved && "✓ Brouillon enregistré"}
						</span>
					</div>
				</Form>
				<div className="order-1 lg:order-2">
					<OrderSummary
						order={{
							company: picked,
							service,
							deadline: deadlines[service],
						}}
					>
						{fixed && picked && (
							<a
								className="link mt-4 inline-flex min-h-11 items-center"
								href={`${href("/entreprise/:siren", { siren: picked.siren })}?back=true&service=${service}`}
							>
								Modifier ma sélection
							</a>
						)}
					</OrderSummary>
				</div>
			</div>
		</Page>
	);
}
