import { useState } from "react";
import { data, href, redirect } from "react-router";
import { describeDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode, suggestedService } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { noExtractRefusal } from "../companies/company-notices.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { suggestCompanies } from "../companies/search/suggest-companies.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { checkOrder, type OrderErrors, type OrderValues, orderQuery, readOrderValues } from "../order-form/order-form.ts";
import { OrderPage } from "../order-form/order-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
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
	// its page says why: nobody knows it, or it has no extract
	if (fixed && (!company || company.eligibility === "none")) throw redirect(href("/entreprise/:siren", { siren: params.siren }));
	return {
		fixed,
		values: { ...values, service: parseServiceCode(values.service) ?? suggestedService },
		serviceGiven: parseServiceCode(values.service) !== null,
		assurances: ["Traitement sécurisé", ...(provider.name === "stripe" ? ["Paiement Stripe"] : [])],
		company: company && toPreview(company),
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
		extra: { company?: CompanyPreview | null; found?: { text: string; companies: CompanyPreview[] } },
	) => data({ values, errors, company: extra.company ?? null, found: extra.found ?? null, key: String(crypto.randomUUID()) }, { status });

	if (intent === "find-company") return again(200, {}, { found: { text, companies: await suggestCompanies(readDb, text) } });
	if (intent === "change-company") return again(200, {}, {});

	const errors = checkOrder(values);
	const siren = parseSiren(values.siren);
	const company = siren && (await findCompany(db, siren));
	if (siren && !company) errors.siren = "Entreprise introuvable";
	if (company?.eligibility === "none") errors.siren = noExtractRefusal;
	if (company && Object.keys(errors).length === 0) {
		const query = orderQuery(values);
		query.set("companyName", company.name ?? "Entreprise");
		return redirect(`${href("/paiement")}?${query}`, 303);
	}
	return again(400, errors, { company: company && toPreview(company) });
}

export default function Order({ loaderData, actionData }: Route.ComponentProps) {
	const { fixed, values, company, deadlines, serviceGiven, assurances } = loaderData;
	const [draft, setDraft] = useState<{ values: OrderValues; company: CompanyPreview | null } | null>(null);
	// fields keep what is typed by themselves; a restored draft or a new answer starts them again, under another key
	const first = { errors: {}, found: null, ...(draft ?? { values, company }), key: draft ? "draft" : "first" };
	const { key, ...shown } = actionData ?? first;
	return (
		<OrderPage
			key={key}
			{...shown}
			company={fixed ? company : shown.company}
			fixed={fixed}
			deadlines={deadlines}
			serviceGiven={serviceGiven || actionData !== undefined || draft !== null}
			assurances={assurances}
			offersDraft={!actionData && !draft && values.email === ""}
			restored={!actionData && draft !== null}
			onRestore={(kept) =>
				setDraft({
					values: { ...values, ...kept.values, ...(fixed && { siren: values.siren, service: values.service }) },
					company: kept.company ?? company,
				})
			}
		/>
	);
}
