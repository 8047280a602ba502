import { useState } from "react";
import { data, href, redirect } from "react-router";
import { privateHeaders, readForm } from "../../server/http.ts";
import { describeDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { suggestCompanies } from "../companies/suggest-companies.server.ts";
import type { PickedCompany } from "../orders/company-picker.tsx";
import { checkOrder, type OrderErrors, type OrderValues, orderQuery, readOrderValues } from "../orders/order-form.ts";
import { OrderPage } from "../orders/order-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/order";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Finaliser votre commande KBIS",
		description: "Un seul formulaire : l’entreprise, le service, vos coordonnées. Le prix et la date limite sont affichés avant de payer.",
		index: false,
	});

/** `/commande/{siren}?service=` with its company fixed, or `/commande` filled in from any `/paiement` query. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { db, calendar, now, provider } = context.get(shopContext);
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
		serviceGiven: parseServiceCode(values.service) !== null,
		assurances: ["Traitement sécurisé", ...(provider.name === "stripe" ? ["Paiement Stripe"] : [])],
		company:
			company && company.eligibility !== "none"
				? { siren: company.siren as string, name: company.name ?? "Entreprise", status: company.status }
				: null,
		deadlines: describeDeadlines(now(), calendar),
	};
}

export async function action({ params, request, context }: Route.ActionArgs) {
	const { db, readDb } = context.get(shopContext);
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

	if (intent === "find-company") return again(200, {}, { found: { text, companies: await suggestCompanies(readDb, text) } });
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
	const { fixed, values, company, deadlines, serviceGiven, assurances } = loaderData;
	const [draft, setDraft] = useState<{ values: OrderValues; company: PickedCompany | null } | null>(null);
	// fields keep what is typed by themselves; a restored draft or a new answer starts them again, under another key
	const first = { errors: {}, found: null, ...(draft ?? { values, company }), key: draft ? "draft" : "first" };
	const { key, ...shown } = actionData ?? first;
	return (
		<OrderPage
			key={key}
			{...shown}
			company={fixed ? company : shown.company}
			fixed={fixed}
			status={company}
			deadlines={deadlines}
			serviceGiven={serviceGiven || actionData !== undefined || draft !== null}
			assurances={assurances}
			offersDraft={!actionData && !draft && values.email === ""}
			restored={!actionData && draft !== null}
			onRestore={({ values: kept, companyName }) => {
				const merged = { ...values, ...kept, ...(fixed && { siren: values.siren, service: values.service }) };
				setDraft({ values: merged, company: merged.siren && companyName ? { siren: merged.siren, name: companyName } : company });
			}}
		/>
	);
}
