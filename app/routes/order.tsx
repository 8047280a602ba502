import { useEffect, useRef, useState } from "react";
import { data, Form, href, redirect, useNavigation } from "react-router";
import { privateHeaders, readForm } from "../../server/http.ts";
import { describeDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode, type ServiceCode } from "../catalogue/services.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { suggestCompanies } from "../companies/suggest-companies.server.ts";
import { AddressFields } from "../orders/address-fields.tsx";
import { CompanyPicker, type PickedCompany } from "../orders/company-picker.tsx";
import { checkOrder, type OrderErrors, type OrderField, type OrderValues, orderQuery, readOrderValues } from "../orders/order-form.ts";
import { ConsentFields, ContactFields, PreferenceFields, ServiceFields } from "../orders/order-form-fields.tsx";
import { OrderSummary } from "../orders/order-summary.tsx";
import { useDraft } from "../orders/use-draft.ts";
import { shopContext } from "../shop.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice, Status } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { Steps } from "../ui/steps.tsx";
import type { Route } from "./+types/order";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Finaliser votre commande KBIS" }, { name: "robots", content: "noindex" }];

/** `/commande/{siren}?service=` with its company fixed, or `/commande` filled in from any `/paiement` query. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { db, calendar, now } = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const values = readOrderValues(query);
	const fixed = params.siren !== undefined;
	if (fixed && parseServiceCode(values.service) === null) throw redirect(href("/"));
	const siren = parseSiren(params.siren ?? values.siren);
	const company = siren && (await findCompany(db, siren));
	if (fixed && company === null) throw data("Entreprise introuvable", { status: 404 });
	if (fixed && company?.eligibility === "none") throw redirect(href("/entreprise/:siren", { siren: company.siren }));
	return {
		fixed,
		values: { ...values, service: parseServiceCode(values.service) ?? "express" },
		company:
			company && company.eligibility !== "none"
				? { siren: company.siren as string, name: company.name ?? "Entreprise", status: company.status }
				: null,
		deadlines: describeDeadlines(now(), calendar),
	};
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const { db } = context.get(shopContext);
	const form = await readForm(request);
	const values = readOrderValues(form);
	if (params.siren !== undefined) values.siren = params.siren;
	const intent = form.get("intent");
	const text = String(form.get("companyQuery") ?? "").slice(0, 200);
	const again = (
		status: number,
		errors: OrderErrors,
		extra: { company?: PickedCompany | null; found?: { text: string; companies: Awaited<ReturnType<typeof suggestCompanies>> } },
	) => data({ values, errors, company: extra.company ?? null, found: extra.found ?? null, key: crypto.randomUUID() as string }, { status });

	if (intent === "find-company") return again(200, {}, { found: { text, companies: await suggestCompanies(db, text) } });
	if (intent === "change-company") return again(200, {}, {});

	const errors = checkOrder(values);
	const siren = parseSiren(values.siren);
	const company = siren && (await findCompany(db, siren));
	if (siren && !company) errors.siren = "Entreprise introuvable";
	if (company?.eligibility === "none")
		errors.siren = "Cette structure n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr.";
	if (company && Object.keys(errors).length === 0) {
		const query = orderQuery(values);
		query.set("companyName", company.name ?? "Entreprise");
		return redirect(`${href("/paiement")}?${query}`, 303);
	}
	return again(400, errors, { company: company && !errors.siren ? { siren: company.siren, name: company.name ?? "Entreprise" } : null });
}

export default function Order({ loaderData, actionData }: Route.ComponentProps) {
	const answer = actionData ?? { values: loaderData.values, errors: {}, company: loaderData.company, found: null, key: "first" };
	const [draft, setDraft] = useState<{ values: OrderValues; company: PickedCompany | null; key: string } | null>(null);
	const shown = draft && !actionData ? { ...answer, ...draft } : answer;
	return (
		<OrderForm
			// fields keep what is typed by themselves; a restored draft or a new answer starts them again
			{...shown}
			key={shown.key}
			company={loaderData.fixed ? loaderData.company : shown.company}
			loaderData={loaderData}
			onRestore={(kept, name) => {
				const values = {
					...loaderData.values,
					...kept,
					...(loaderData.fixed && { siren: loaderData.values.siren, service: loaderData.values.service }),
				};
				setDraft({ values, company: values.siren && name ? { siren: values.siren, name } : loaderData.company, key: "draft" });
			}}
			restored={draft !== null}
		/>
	);
}

interface OrderFormProps {
	values: OrderValues;
	errors: OrderErrors;
	company: PickedCompany | null;
	found: React.ComponentProps<typeof CompanyPicker>["found"];
	loaderData: Route.ComponentProps["loaderData"];
	restored: boolean;
	onRestore: (values: Partial<OrderValues>, companyName: string) => void;
}

function OrderForm({ values, company, found, loaderData, restored, onRestore, ...answer }: OrderFormProps) {
	const { fixed, deadlines } = loaderData;
	const form = useRef<HTMLFormElement>(null);
	const [errors, setErrors] = useState(answer.errors);
	const [summary, setSummary] = useState(answer.errors);
	const [picked, setPicked] = useState(company);
	const [service, setService] = useState<ServiceCode>(parseServiceCode(values.service) ?? "express");
	const draft = useDraft(form, picked?.name ?? "");
	const busy = useNavigation().state !== "idle";
	useEffect(() => {
		if (restored) form.current?.querySelector<HTMLInputElement>("#email")?.focus();
	}, [restored]);

	const clear = (field: string) => setErrors(({ [field as OrderField]: _cleared, ...others }) => others);

	return (
		<Page width="page">
			<Steps current={1} title="Informations client" />
			<Breadcrumb
				places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: "Informations" }]}
			/>
			<Title>Finaliser votre commande KBIS</Title>
			<ul className="mb-8 flex flex-wrap gap-x-8 gap-y-2 text-sm text-soft">
				<li className="inline-flex items-center gap-2">
					<Icon name="lock" /> Traitement sécurisé
				</li>
			</ul>
			<ErrorSummary errors={Object.entries(summary).map(([field, message]) => ({ field, message }))} />
			{draft.offered && !restored && (
				<Notice title="Reprendre votre brouillon ?" className="mb-8">
					<div className="flex flex-wrap gap-x-6">
						<button
							type="button"
							className={button("quiet")}
							onClick={() => draft.offered && onRestore(draft.offered.values, draft.offered.companyName)}
						>
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
					}}
				>
					{/* Enter in a field continues to payment, never a search for the company */}
					<button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
					<Section title="Service">
						<ServiceFields chosen={service} deadlines={deadlines} onChoose={setService} />
					</Section>
					<Section title="Entreprise">
						<CompanyPicker
							picked={picked}
							fixed={fixed}
							found={found}
							error={errors.siren}
							onPick={(chosen) => {
								setPicked(chosen);
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
						<AddressFields values={values} errors={errors} postal={service === "postal"} />
					</Section>
					<Section title="Préférences">
						<PreferenceFields values={values} />
					</Section>
					<Section title="Votre accord">
						<ConsentFields errors={errors} />
						<p className="mt-4 text-sm text-soft">
							Vos données servent à traiter votre commande, et à rien d’autre sans votre accord : voyez la{" "}
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
					<div className="flex flex-wrap items-center gap-4">
						<button type="submit" className={button("primary")} disabled={busy}>
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
							company: picked && {
								...picked,
								status: loaderData.company?.siren === picked.siren ? <CompanyStatus status={loaderData.company.status} /> : undefined,
							},
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

function CompanyStatus({ status }: { status: "active" | "ceased" | "removed" }) {
	if (status === "active") return <Status kind="done">Entreprise active</Status>;
	return <Status kind="waiting">{status === "removed" ? "Entreprise radiée" : "Entreprise cessée"}</Status>;
}
