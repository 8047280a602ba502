import { data, href, redirect } from "react-router";
import { formatDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import { ServiceForm, serviceFormId } from "../checkout/form/service-form.tsx";
import { findPublishedNotices } from "../companies/bulletin/published-notices.server.ts";
import { PublishedNotices } from "../companies/bulletin/published-notices.tsx";
import { canFollow } from "../companies/company.ts";
import { companyName } from "../companies/company-name.ts";
import { findCompanySources } from "../companies/company-sources.server.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { isIndexable } from "../companies/page/company-json-ld.ts";
import { CompanyPage, UnknownCompanyPage } from "../companies/page/company-page.tsx";
import { hasOwnPicture } from "../companies/page/company-picture.ts";
import { parseSiren } from "../companies/siren.ts";
import { shopContext } from "../shop.ts";
import { cleanLine } from "../ui/forms/text.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/company.ts";

export const handle = { scripts: "on-demand", sells: true };

export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { readDb, readSales, readWatch, now } = context.get(shopContext);
	const siren = parseSiren(params.siren);
	const refuse = (text: string) => data({ found: false as const, siren: text }, { status: 404 });
	if (!siren) return refuse(cleanLine(params.siren, 40));
	const [company, published, sources] = await Promise.all([
		findCompany(readDb, siren),
		findPublishedNotices(readDb, siren, now()),
		findCompanySources(readDb),
	]);
	if (!company) return refuse(siren);
	const query = new URL(request.url).searchParams;
	const sales = await readSales();
	const chosen = parseServiceCode(query.get("service"));
	const service = chosen !== null && chosen in sales.closed ? null : chosen;
	// a browser without JavaScript submitted the form: with a choice it goes on, without one it comes back to the card
	if (query.get("choisir") === "1" && company.eligibility !== "none")
		throw redirect(
			service
				? `${href("/commande/:siren", { siren: company.siren })}?service=${service}`
				: `${href("/entreprise/:siren", { siren: company.siren })}?choisir=service#service`,
		);
	const order = {
		siren: company.siren,
		service,
		missing: query.get("choisir") === "service",
		deadlines: formatDeadlines(now(), sales),
	};
	return data({
		found: true as const,
		company,
		published: canFollow(company) ? published : null,
		sources,
		order,
		followable: await readWatch(),
	});
}

export const meta: Route.MetaFunction = (page) => {
	const { loaderData } = page;
	if (!loaderData?.found) return pageMeta(page, { title: "Entreprise introuvable", index: false });
	const { name, siren, headOffice, legalForm, eligibility } = loaderData.company;
	const document = { kbis: "Extrait Kbis", "extrait-k": "Extrait K", none: "SIREN et justificatifs" }[eligibility];
	const city = headOffice?.city;
	const title = `${document} ${companyName(name)}, SIREN ${siren}${city ? `, ${city}` : ""}`;
	const order =
		eligibility === "none" ? "ses justificatifs gratuits" : "la commande de son extrait auprès d’un service privé et indépendant";
	const description = `${companyName(name)} (${legalForm}${city ? `, ${city}` : ""})\u00a0: SIREN ${siren}, adresse du siège, activité, et ${order}.`;
	return pageMeta(page, {
		title,
		description,
		index: isIndexable(loaderData.company),
		picture: hasOwnPicture(loaderData.company),
	});
};

export default function CompanyRoute({ loaderData }: Route.ComponentProps) {
	if (!loaderData.found) return <UnknownCompanyPage siren={loaderData.siren} />;
	const { company, published, sources, order, followable } = loaderData;
	return (
		<CompanyPage
			company={company}
			sources={sources}
			followable={followable}
			formId={serviceFormId}
			published={published && <PublishedNotices {...published} dates={company} />}
		>
			<ServiceForm {...order} status={company.status} notices={company.notices} />
		</CompanyPage>
	);
}
