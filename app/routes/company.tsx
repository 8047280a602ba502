import { useEffect, useRef, useState } from "react";
import { data, Form, href, redirect } from "react-router";
import { describeDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import type { Company } from "../companies/company.ts";
import { CompanyFacts } from "../companies/company-facts.tsx";
import { companyJsonLd, isIndexable } from "../companies/company-json-ld.ts";
import { CompanyNoticeList, CompanyStatus, NoticeText } from "../companies/company-notice-list.tsx";
import { companySources } from "../companies/company-sources.server.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { cleanLine } from "../forms/text.ts";
import { ServiceChoice } from "../order-form/service-choice.tsx";
import { shopContext } from "../shop.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { JsonLd } from "../ui/json-ld.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { pageMeta, useSite } from "../ui/site.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import type { Route } from "./+types/company.ts";

/** The same for everybody: sent again only when it changed. */
export const handle = { public: true };

export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { readDb, calendar, now } = context.get(shopContext);
	const siren = parseSiren(params.siren);
	const company = siren && (await findCompany(readDb, siren));
	if (!company) return data({ found: false as const, siren: siren ?? cleanLine(params.siren, 40) }, { status: 404 });
	const query = new URL(request.url).searchParams;
	const service = parseServiceCode(query.get("service"));
	const choosing = query.get("choisir") === "1";
	if (choosing && service && company.eligibility !== "none")
		throw redirect(`${href("/commande/:siren", { siren: company.siren })}?service=${service}`);
	if (params.siren !== company.siren) throw redirect(href("/entreprise/:siren", { siren: company.siren }), 301);
	return data({
		found: true as const,
		company,
		sources: await companySources(readDb),
		service,
		/** « Continuer » came without a choice: a browser without JavaScript. */
		missing: choosing && service === null,
		deadlines: describeDeadlines(now(), calendar),
	});
}

export const meta: Route.MetaFunction = (page) => {
	const { loaderData } = page;
	if (!loaderData?.found) return pageMeta(page, { title: "Entreprise introuvable", index: false });
	const { name, siren, city, legalForm } = loaderData.company;
	const title = `${name ?? "Entreprise"}, SIREN ${siren}`;
	const description = `${name ?? "Entreprise"} (${legalForm}${city ? `, ${city}` : ""}) : SIREN ${siren}, adresse du siège, activité, et commande de l’extrait Kbis auprès d’un service privé et indépendant.`;
	return pageMeta(page, { title, description, index: isIndexable(loaderData.company) });
};

export default function CompanyPage({ loaderData }: Route.ComponentProps) {
	const site = useSite();
	if (!loaderData.found) return <Unknown siren={loaderData.siren} />;
	const { company, sources } = loaderData;
	const name = company.name ?? "Entreprise";
	const jsonLd = site && companyJsonLd(company, site.baseUrl + href("/entreprise/:siren", { siren: company.siren }));
	return (
		<Page width="page">
			<Breadcrumb
				baseUrl={site?.baseUrl}
				places={[{ label: "Accueil", href: href("/") }, { label: "Recherche", href: href("/recherche") }, { label: name }]}
			/>
			{jsonLd && <JsonLd data={jsonLd} />}
			<Title lead={<CompanyStatus status={company.status} />}>{name}</Title>
			<Section title="Informations officielles RCS">
				<div className="max-w-form">
					<CompanyFacts company={company} sources={sources} />
				</div>
			</Section>
			<Section title={company.eligibility === "none" ? "Pas d’extrait Kbis" : "Choisissez votre service KBIS"}>
				{company.eligibility !== "none" && <CompanyNoticeList notices={company.notices} className="mb-6 max-w-reading" />}
				{company.eligibility !== "none" && <KbisNeedLink className="mb-6" />}
				{company.eligibility === "none" ? <NoExtract company={company} /> : <Choice {...loaderData} key={company.siren} />}
			</Section>
			<Concerns siren={company.siren} masked={company.masked} />
		</Page>
	);
}

/** How to object to the page or to correct it (GDPR art. 16 and 21). */
function Concerns({ siren, masked }: { siren: string; masked: boolean }) {
	const about = (objet: string) => `${href("/contact")}?objet=${objet}&siren=${siren}`;
	return (
		<p className="mt-10 border-t border-line pt-4 text-sm text-soft print:hidden">
			{!masked && (
				<>
					Cette fiche parle de vous ?{" "}
					<a href={about("donnees")} rel="nofollow" className="link inline-flex min-h-11 items-center">
						Ces données me concernent
					</a>
					{" · "}
				</>
			)}
			<a href={about("erreur")} rel="nofollow" className="link inline-flex min-h-11 items-center">
				Signaler une erreur
			</a>
		</p>
	);
}

type Found = Extract<Route.ComponentProps["loaderData"], { found: true }>;

function Choice({ company, service, missing, deadlines }: Found) {
	const hydrated = useHydrated();
	const [chosen, setChosen] = useState(service);
	const form = useRef<HTMLFormElement>(null);
	useEffect(() => {
		// a choice made before the page's JavaScript came
		setChosen((known) => parseServiceCode(form.current?.querySelector<HTMLInputElement>("[name=service]:checked")?.value) ?? known);
	}, []);
	const address = { siren: company.siren };
	return (
		// without JavaScript this page looks first whether a service was chosen
		<Form ref={form} action={hydrated ? href("/commande/:siren", address) : href("/entreprise/:siren", address)}>
			{!hydrated && <input type="hidden" name="choisir" value="1" />}
			{missing && !chosen && (
				<Notice kind="failed" live className="mb-5">
					<p id="choisir">Choisissez un service pour continuer.</p>
				</Notice>
			)}
			<ServiceChoice
				detailed
				chosen={service}
				deadlines={deadlines}
				errorId={missing && !chosen ? "choisir" : undefined}
				onChoose={setChosen}
			/>
			<button type="submit" disabled={hydrated && chosen === null} className={button("primary", "mt-6 max-sm:w-full")}>
				Continuer vers la commande
			</button>
			<PrivateService className="mt-8 max-w-reading" />
		</Form>
	);
}

function NoExtract({ company }: { company: Company }) {
	return (
		<div className="max-w-reading">
			{company.legalFormInFull && <p className="mb-3">Forme juridique : {company.legalFormInFull}.</p>}
			{company.notices.map(({ code, text }) => (
				<NoticeText key={code} text={text} />
			))}
			<p className="mt-6">
				<a href={href("/recherche")} className={button("secondary")}>
					Nouvelle recherche
				</a>
			</p>
		</div>
	);
}

function Unknown({ siren }: { siren: string }) {
	return (
		<Page>
			<Title lead={`Aucune entreprise trouvée avec le SIREN ${siren}`}>Entreprise introuvable</Title>
			<p className="flex flex-wrap items-center gap-x-6 gap-y-2">
				<a href={href("/")} className={button()}>
					Retour à l’accueil
				</a>
				<a href={href("/recherche")} className={button("quiet")}>
					Nouvelle recherche
				</a>
			</p>
		</Page>
	);
}
