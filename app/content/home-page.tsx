import type { ComponentProps, ReactNode } from "react";
import { href } from "react-router";
import type { Deadlines } from "../catalogue/deadlines.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { homeTransit, serviceCodes, services } from "../catalogue/services.ts";
import { button } from "../ui/button.tsx";
import { CompareDrawing, HeroDrawing } from "../ui/drawings/drawings.tsx";
import { Icon } from "../ui/icon.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { QuestionList } from "./accordion.tsx";
import type { getBadges, getIndicators, statistics, testimonials } from "./claims.ts";
import { Comparison } from "./comparison.tsx";
import { InlineContent } from "./content-blocks.tsx";
import { Examples } from "./content-parts.tsx";
import { OfferCards } from "./offer-cards.tsx";
import { findFastest, HourPanel } from "./promised-hour.tsx";
import { SupportContact } from "./support-contact.tsx";
import type { Question } from "./text.ts";

/** The introduction with the company search, the main action of the page. */
export function Hero({ indicators }: { indicators: ReturnType<typeof getIndicators> }) {
	return (
		<section className="mx-auto grid max-w-page gap-x-20 px-5 pt-8 pb-8 sm:px-8 md:pt-12 md:pb-10 lg:grid-cols-[1fr_18rem]">
			<div>
				<h1 className="max-w-[13em] text-3xl">
					Votre extrait Kbis, <span className="sm:whitespace-nowrap">à une heure précise</span>
				</h1>
				<p className="mt-4 max-w-reading text-soft sm:text-lg">
					Cherchez l’entreprise, payez par carte&nbsp;: nous demandons l’original au greffe et vous l’envoyons tel quel, par e-mail ou par
					courrier.
				</p>
				<search>
					<form action={href("/recherche")} method="get" className="mt-6 max-w-reading">
						<label htmlFor="q" className="mb-2 block font-semibold">
							SIREN, SIRET ou nom d'entreprise
						</label>
						<div className="flex flex-col gap-3 sm:flex-row">
							<input
								id="q"
								name="q"
								type="search"
								required
								pattern=".*\S.*"
								title="Un numéro ou un nom"
								autoComplete="off"
								enterKeyHint="search"
								aria-describedby="q-hint"
								className="block min-h-13 w-full min-w-0 flex-1 rounded-md border border-edge bg-sheet px-4 text-lg text-ink hover:border-ink"
							/>
							<button type="submit" className={button("primary", "min-h-13 px-7")}>
								<Icon name="search" />
								Rechercher
							</button>
						</div>
						<p id="q-hint" className="mt-2 text-sm text-soft">
							Par exemple <span className="figures">552 032 534</span>, <span className="figures">552 032 534 00703</span> ou Danone.
						</p>
					</form>
				</search>
				<div className="mt-3 grid gap-1">
					<KbisNeedLink />
					<p className="flex flex-wrap items-center gap-x-4">
						<span>
							À partir de <strong className="figures font-semibold">{formatEuros(lowestPrice)}</strong> TTC, sans abonnement.
						</span>
						<a href={href("/commande")} className={button("quiet")}>
							Commander maintenant
							<Icon name="arrow" className="size-4.5" />
						</a>
					</p>
				</div>
				{/* a telephone shows the hour in its first screen, and the same four below the services */}
				<ul className="max-sm:hidden mt-3 flex flex-wrap gap-x-5 gap-y-2 text-sm text-soft">
					{indicators.map(({ name }) => (
						<li key={name}>{name}</li>
					))}
				</ul>
			</div>
			<HeroDrawing className="hidden w-full self-center lg:block" />
		</section>
	);
}

const lowestPrice = cents(Math.min(...serviceCodes.map((code) => services[code].price)));

/** The promise of the fastest service: with the title, the only large thing of the page. Nothing while no service by e-mail is sold. */
export function HourBand({ deadlines, weeks }: { deadlines: Deadlines; weeks: Record<"express" | "standard", PromiseWeek> }) {
	const fastest = findFastest(deadlines);
	if (fastest === null) return null;
	return (
		<section aria-label="Délai pour une commande passée maintenant" className="ink-band">
			<HourPanel service={fastest} deadlines={deadlines} week={weeks[fastest]} className="mx-auto max-w-page px-5 py-7 sm:px-8 md:py-9" />
		</section>
	);
}

/** What the greffe offers beside what the shop adds. */
export function Choice() {
	return (
		<HomeSection
			title={
				<>
					<span className="whitespace-nowrap">Vous-même,</span> ou par nous&nbsp;?
				</>
			}
		>
			<div className="grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_2fr]">
				<CompareDrawing className="w-32 lg:w-52" />
				<div>
					<Comparison />
					<PrivateService short className="mt-4" />
				</div>
			</div>
		</HomeSection>
	);
}

/** One line each on delivery, data protection, support and authenticity. */
export function Indicators({ rows }: { rows: ReturnType<typeof getIndicators> }) {
	return (
		<div className="mt-16 border-y border-line bg-sheet md:mt-24">
			<ul className="mx-auto grid max-w-page gap-x-10 gap-y-6 px-5 py-8 sm:px-8 md:grid-cols-2 lg:grid-cols-4">
				{rows.map(({ icon, name, note }) => (
					<li key={name} className="flex gap-3">
						<Icon name={icon} className="mt-0.5 size-6 text-accent" />
						<div>
							<p className="font-semibold">{name}</p>
							<p className="text-sm text-soft">{note}</p>
						</div>
					</li>
				))}
			</ul>
		</div>
	);
}

/** The three services and the announced subscription. */
export function Offers({ openingHours, ...cards }: { openingHours: string } & ComponentProps<typeof OfferCards>) {
	return (
		<HomeSection
			id="services"
			title="Nos services"
			lead="Le même extrait, à recevoir comme vous voulez. Le prix affiché est le prix TTC que vous payez. L’abonnement n’est pas encore en vente."
		>
			<OfferCards {...cards} />
			<p className="mt-6 max-w-reading text-sm text-soft">
				Nos heures ouvrées, c’est-à-dire de traitement des commandes&nbsp;: {openingHours}. Un extrait sur papier est posté sous{" "}
				{services.postal.sentWithin}, puis acheminé en {homeTransit.from} à {homeTransit.to}&nbsp;jours ouvrés en métropole, plus longtemps
				outre-mer.
			</p>
		</HomeSection>
	);
}

interface SocialProofProps {
	demo: boolean;
	statistics: typeof statistics;
	testimonials: typeof testimonials;
	badges: ReturnType<typeof getBadges>;
	/** « 98,4 % », « octobre 2026 », « 1 240 commandes »; null when too few orders were delivered in a month. */
	punctuality: { share: string; month: string; base: string } | null;
}

/** Figures, reviews and badges. */
export function SocialProof({ demo, statistics, testimonials, badges, punctuality }: SocialProofProps) {
	const hasClaims = statistics.length + testimonials.length > 0;
	return (
		<HomeSection
			title={hasClaims ? "Ils nous font confiance" : "Ce que vous pouvez vérifier"}
			lead={hasClaims && demo && "Chiffres et témoignages inventés pour la démonstration : le site réel n’affiche que des avis vérifiés."}
		>
			{statistics.length > 0 && (
				<Examples demo={demo} className="mb-10">
					<dl className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
						{statistics.map(({ figure, label }) => (
							<div key={label} className="flex flex-col-reverse border-l border-line pl-4">
								<dt className="text-sm text-soft">{label}</dt>
								<dd className="figures font-serif text-2xl font-medium">{figure}</dd>
							</div>
						))}
					</dl>
				</Examples>
			)}
			{testimonials.length > 0 && (
				<Examples demo={demo} className="mb-10">
					<ul className="grid gap-x-12 gap-y-8 md:grid-cols-2">
						{testimonials.map(({ quote, name, role, company }) => (
							<li key={quote}>
								<figure>
									<blockquote className="font-serif text-lg font-medium text-pretty">«&nbsp;{quote}&nbsp;»</blockquote>
									<figcaption className="mt-2 text-sm text-soft">
										{name}, {role}, {company}
									</figcaption>
								</figure>
							</li>
						))}
					</ul>
				</Examples>
			)}
			{punctuality && (
				<p className="mb-10 max-w-reading">
					<strong className="figures font-semibold">{punctuality.share}</strong> des extraits commandés en {punctuality.month} ont été
					livrés à l’heure ({punctuality.base}).{" "}
					<a href={href("/statistiques")} className="link">
						Nos délais, mois par mois
					</a>
				</p>
			)}
			<dl
				className={`grid gap-x-10 gap-y-5 border-t border-line pt-8 ${badges.length === 3 ? "md:grid-cols-3" : "md:grid-cols-2 lg:grid-cols-4"}`}
			>
				{badges.map(({ name, text }) => (
					<div key={name}>
						<dt className="font-semibold">{name}</dt>
						<dd className="text-sm text-soft">
							<InlineContent text={text} />
						</dd>
					</div>
				))}
			</dl>
		</HomeSection>
	);
}

/** Eight questions, and the contact of the support. */
export function Questions({ questions }: { questions: readonly Question[] }) {
	return (
		<HomeSection id="faq" title="Questions fréquentes">
			<div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1fr_18rem]">
				<div className="max-w-form">
					<QuestionList questions={questions} />
					<p className="mt-6">
						<a href={href("/faq")} className="link inline-flex min-h-11 items-center">
							Toutes les questions
						</a>
					</p>
				</div>
				<SupportContact level="h3" />
			</div>
		</HomeSection>
	);
}

function HomeSection({ id, title, lead, children }: { id?: string; title: ReactNode; lead?: ReactNode; children: ReactNode }) {
	return (
		<section id={id} className="mx-auto max-w-page px-5 pt-16 sm:px-8 md:pt-24">
			<h2 className="text-2xl">{title}</h2>
			{lead && <p className="mt-3 max-w-reading text-soft">{lead}</p>}
			<div className="mt-8">{children}</div>
		</section>
	);
}
