import type { ReactNode } from "react";
import { href } from "react-router";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { JsonLd } from "../../ui/json-ld.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { useSite } from "../../ui/site.ts";
import { type Company, canFollow } from "../company.ts";
import { factsId } from "../company-card.tsx";
import { companyName } from "../company-name.ts";
import { CompanyName } from "../company-name.tsx";
import { NoticeText } from "../company-notice-list.tsx";
import type { CompanySources } from "../company-sources.server.ts";
import { hasValidKey } from "../siren.ts";
import { UnknownNumber } from "../unknown-number.tsx";
import { CompanyFacts } from "./company-facts.tsx";
import { CompanyHead } from "./company-head.tsx";
import { createCompanyJsonLd } from "./company-json-ld.ts";
import { Establishments, ExtractContents, OtherRegisters } from "./company-sections.tsx";

interface CompanyPageProps {
	company: Company;
	sources: CompanySources | null;
	/** The id of the order form, for the bar at the bottom of narrow screens. */
	formId: string;
	/** What was published about the company. */
	published: ReactNode;
	/** Whether alerts about companies are sent. */
	followable: boolean;
	/** The order form. */
	children: ReactNode;
}

/** A company beside the order form, or beside the reason why it has no extract. */
export function CompanyPage({ company, sources, formId, published, followable, children }: CompanyPageProps) {
	const site = useSite();
	const name = companyName(company.name);
	const orderable = company.eligibility !== "none";
	const jsonLd = site && createCompanyJsonLd(company, absoluteUrl(site.baseUrl, "/entreprise/:siren", { siren: company.siren }));
	return (
		<Page width="page">
			<Breadcrumb
				baseUrl={site?.baseUrl}
				places={[{ label: "Accueil", href: href("/") }, { label: "Recherche", href: href("/recherche") }, { label: name }]}
			/>
			{jsonLd && <JsonLd data={jsonLd} />}
			{/* facts on the left, the order on the right, the rest below both; on narrow screens the order comes before the facts */}
			<div className={columns}>
				<Title lead={<CompanyHead company={company} />}>
					<CompanyName name={name} />
				</Title>
				<aside className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
					<div className="high:lg:sticky high:lg:top-20">{orderable ? children : <NoExtract company={company} />}</div>
					{orderable && (
						<div className="mt-6 hidden border-t border-line pt-6 lg:block lg:sticky lg:top-20 high:lg:hidden print:hidden">
							<OrderButtons formId={formId} />
						</div>
					)}
				</aside>
				{/* one box on narrow screens, at whose bottom the bar stays */}
				<div className="max-lg:mt-10 lg:contents">
					<div className="min-w-0">
						<Section id={factsId} title={company.eligibility === "kbis" ? "Informations officielles RCS" : "Informations officielles"}>
							<CompanyFacts company={company} sources={sources} />
						</Section>
						{published}
						<Establishments company={company} isSample={sources?.isSample ?? false} />
					</div>
					<div className={`lg:col-span-2 ${columns}`}>
						{orderable && <ExtractContents company={company} />}
						<div className="min-w-0">
							<OtherRegisters company={company} />
							{followable && <FollowLink company={company} />}
							<CorrectionLinks siren={company.siren} masked={company.masked} />
						</div>
					</div>
					{orderable && <OrderBar formId={formId} />}
				</div>
			</div>
		</Page>
	);
}

const lowestPrice = formatEuros(cents(Math.min(...serviceCodes.map((code) => services[code].price))));

const columns = "lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-x-16";

/** Stays at the bottom of narrow screens while the facts are read. */
function OrderBar({ formId }: { formId: string }) {
	return (
		<div className="sticky bottom-0 z-10 -mx-5 border-t border-line bg-paper px-5 py-2.5 sm:-mx-8 sm:px-8 lg:hidden print:hidden">
			<OrderButtons formId={formId} />
		</div>
	);
}

/** Lead to the services, then order the chosen one: for a window that does not show the whole order card beside the facts. */
function OrderButtons({ formId }: { formId: string }) {
	return (
		<>
			<a href="#service" className={button("primary", "w-full choice-missing")}>
				Commander – dès {lowestPrice}
			</a>
			<button type="submit" form={formId} className={button("primary", "w-full choice-made")}>
				Commander ce service
			</button>
		</>
	);
}

/** Objections to the page and corrections of it (GDPR art. 16 and 21). */
function CorrectionLinks({ siren, masked }: { siren: string; masked: boolean }) {
	const contactUrl = (objet: string) => `${href("/contact")}?objet=${objet}&siren=${siren}`;
	return (
		<p className="flex flex-wrap items-center gap-x-5 border-t border-line pt-4 text-sm text-soft print:hidden">
			{!masked && (
				<span>
					Cette fiche parle de vous&nbsp;?{" "}
					<a href={contactUrl("donnees")} rel="nofollow" className="link inline-flex min-h-11 items-center">
						Ces données me concernent
					</a>
				</span>
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
			<div className="mb-6 max-w-reading">
				<UnknownNumber siren={siren} isValid={hasValidKey(siren)} />
			</div>
			<p className="flex flex-wrap items-center gap-x-6 gap-y-2">
				<a href={href("/recherche")} className={button()}>
					Nouvelle recherche
				</a>
				<a href={href("/")} className={button("quiet")}>
					Retour à l’accueil
				</a>
			</p>
		</Page>
	);
}

/** Leads to the alerts of a company; nothing for a company without any. */
function FollowLink({ company }: { company: Company }) {
	if (!canFollow(company)) return null;
	return (
		<p className="border-t border-line py-4 text-sm text-soft print:hidden">
			<a
				href={href("/entreprise/:siren/alerte", { siren: company.siren })}
				rel="nofollow"
				className="link inline-flex min-h-11 items-center"
			>
				Suivre cette entreprise
			</a>
			{"\u00a0: un e-mail gratuit, sans compte, quand une annonce paraît au BODACC."}
		</p>
	);
}

/** In place of the order form: why this unit has no extract, and the free documents that prove it exists. */
function NoExtract({ company: { siret, legalFormInFull, notices, masked } }: { company: Company }) {
	// the Journal officiel publishes associations and foundations (law of 1 July 1901, art. 5)
	const isInJournal = /^(Association|Fondation)/.test(legalFormInFull ?? "");
	return (
		<section aria-labelledby="sans-extrait" className="rounded-lg border border-line bg-sheet p-5 sm:p-6">
			<h2 id="sans-extrait" className="text-xl">
				Pas d’extrait Kbis
			</h2>
			<div className="mt-3 grid gap-3">
				{notices.map(({ code, text }) => (
					<NoticeText key={code} text={text} />
				))}
				{((!masked && siret) || isInJournal) && <p className="font-semibold">Les justificatifs gratuits&nbsp;:</p>}
			</div>
			<p className="mt-3 flex flex-col gap-3">
				{!masked && siret && (
					<a
						className={button("secondary", "w-full")}
						rel="external"
						href={`https://api-avis-situation-sirene.insee.fr/identification/pdf/${siret}`}
					>
						Avis de situation Sirene (PDF)
					</a>
				)}
				{isInJournal && (
					<a
						className={button("secondary", "w-full")}
						rel="external"
						href="https://www.journal-officiel.gouv.fr/pages/associations-recherche/"
					>
						Journal officiel des associations
					</a>
				)}
				<a className={button("quiet")} href={href("/recherche")}>
					Nouvelle recherche
				</a>
			</p>
		</section>
	);
}
