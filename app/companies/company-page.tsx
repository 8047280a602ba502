import type { ReactNode } from "react";
import { href } from "react-router";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { Breadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { JsonLd } from "../ui/json-ld.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { useSite } from "../ui/site.ts";
import type { Company } from "./company.ts";
import { CompanyFacts } from "./company-facts.tsx";
import { createCompanyJsonLd } from "./company-json-ld.ts";
import { CompanyNoticeList, CompanyStatus, NoticeText } from "./company-notice-list.tsx";
import type { CompanySources } from "./company-sources.server.ts";

interface CompanyPageProps {
	company: Company;
	sources: CompanySources | null;
	/** The order form. */
	children: ReactNode;
}

/** A company with the order form, or with the reason why it has no extract. */
export function CompanyPage({ company, sources, children }: CompanyPageProps) {
	const site = useSite();
	const name = company.name ?? "Entreprise";
	const jsonLd = site && createCompanyJsonLd(company, absoluteUrl(site.baseUrl, "/entreprise/:siren", { siren: company.siren }));
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
			{company.eligibility === "none" ? (
				<Section title="Pas d’extrait Kbis">
					<NoExtract company={company} />
				</Section>
			) : (
				<Section title="Choisissez votre service KBIS">
					<CompanyNoticeList notices={company.notices} className="mb-6 max-w-reading" />
					<KbisNeedLink className="mb-6" />
					{children}
				</Section>
			)}
			<CorrectionLinks siren={company.siren} masked={company.masked} />
		</Page>
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

/** Objections to the page and corrections of it (GDPR art. 16 and 21). */
function CorrectionLinks({ siren, masked }: { siren: string; masked: boolean }) {
	const contactUrl = (objet: string) => `${href("/contact")}?objet=${objet}&siren=${siren}`;
	return (
		<p className="mt-10 border-t border-line pt-4 text-sm text-soft print:hidden">
			{!masked && (
				<>
					Cette fiche parle de vous ?{" "}
					<a href={contactUrl("donnees")} rel="nofollow" className="link inline-flex min-h-11 items-center">
						Ces données me concernent
					</a>
					{" · "}
				</>
			)}
			<a href={contactUrl("erreur")} rel="nofollow" className="link inline-flex min-h-11 items-center">
				Signaler une erreur
			</a>
		</p>
	);
}

export function UnknownCompanyPage({ siren }: { siren: string }) {
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
