import type { ComponentProps, ComponentType, ReactNode } from "react";
import { href } from "react-router";
import { watchPeriod } from "../catalogue/after-sale.ts";
import type { Deadlines } from "../catalogue/deadlines.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { button } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { CompareDrawing, type DrawingProps, HeroDrawing, SheetsDrawing, StampDrawing } from "../ui/drawings/drawings.tsx";
import { Icon } from "../ui/icon.tsx";
import { KbisNeedLink } from "../ui/kbis-need-link.tsx";
import { Status } from "../ui/notice.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { QuestionList } from "./accordion.tsx";
import type { getBadges } from "./claims.ts";
import { Comparison } from "./comparison.tsx";
import { InlineContent } from "./content-blocks.tsx";
import { OfferCards, SubscriptionSentence } from "./offer-cards.tsx";
import { findFastest, HourPanel } from "./promised-hour.tsx";
import { SupportContact } from "./support-contact.tsx";
import type { Question } from "./text.ts";

/** The introduction with the company search, the main action of the page. */
export function Hero({ indicators, search }: { indicators: readonly string[]; search: ReactNode }) {
	return (
		<section className="mx-auto grid max-w-page gap-x-16 px-5 py-8 sm:px-8 md:py-12 lg:grid-cols-[1fr_18rem]">
			<div>
				<h1 className="text-3xl">
					Votre extrait Kbis, <span className="sm:whitespace-nowrap">à une heure précise</span>
				</h1>
				<p className="mt-4 max-w-reading text-soft sm:text-lg">
					Cherchez l’entreprise, payez par carte&nbsp;: nous demandons l’original au greffe et vous l’envoyons tel quel.
				</p>
				{search}
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
				<ul className="mt-3 flex flex-wrap gap-x-4 text-sm text-soft max-sm:hidden">
					{indicators.map((indicator) => (
						<li key={indicator}>{indicator}</li>
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
			<HourPanel service={fastest} deadlines={deadlines} week={weeks[fastest]} className="mx-auto max-w-page px-5 py-6 sm:px-8 md:py-12" />
		</section>
	);
}

interface DoorsProps {
	/** Of one purchase. */
	maxLines: number;
	/** Whether the official bulletin is read (docs/rules.md, R205). */
	watched: boolean;
}

interface Door {
	drawing: ComponentType<DrawingProps>;
	title: string;
	text: ReactNode;
	link: { url: string; label: string };
	other: { url: string; label: string };
}

const listDoors = ({ maxLines, watched }: DoorsProps): readonly Door[] => [
	{
		drawing: StampDrawing,
		title: "Dirigeant de la société",
		text: "Votre Kbis est en général gratuit sur MonIdenum. Vous préférez nous le confier\u00a0? Nous le demandons pour vous.",
		link: { url: "https://monidenum.fr", label: "L’obtenir sur MonIdenum" },
		other: { url: href("/commande"), label: "Le commander ici" },
	},
	{
		drawing: SheetsDrawing,
		title: "Cabinet, service juridique",
		text: `Jusqu’à ${maxLines} extraits\u00a0: un paiement, une facture, un fichier ZIP.`,
		link: { url: href("/commande/plusieurs"), label: "Commander plusieurs extraits" },
		other: { url: href("/mes-commandes"), label: "Mes commandes" },
	},
	{
		drawing: CompareDrawing,
		title: "Banque, bailleur, fournisseur",
		link: { url: href("/verifier"), label: "Vérifier un extrait" },
		...(watched
			? {
					text: "Vérifiez qu’un extrait vient de chez nous, et soyez prévenu des changements.",
					other: { url: href("/alertes"), label: "Suivre une entreprise" },
				}
			: {
					text: "Vérifiez qu’un extrait vient de chez nous et qu’il est intact.",
					other: { url: href("/commande"), label: "Commander un extrait" },
				}),
	},
];

/** The way of each kind of visitor: the manager of a company, who orders for others, who is handed an extract. */
export function Doors(props: DoorsProps) {
	return (
		<HomeSection title="Vous êtes…">
			<ul className="grid gap-x-10 lg:grid-cols-3">
				{listDoors(props).map(({ drawing: Drawing, title, text, link, other }) => (
					<li key={title} className="flow-root border-t border-line py-3">
						<Drawing className="mb-2 w-20 max-sm:float-right max-sm:ml-4 lg:w-48" />
						<h3 className="text-lg">{title}</h3>
						<p className="mt-1 text-sm text-soft">{text}</p>
						<p className="mt-1 flex flex-wrap items-center gap-x-5 text-sm">
							<DoorLink {...link} className="font-semibold" />
							<DoorLink {...other} />
						</p>
					</li>
				))}
			</ul>
		</HomeSection>
	);
}

function DoorLink({ url, label, className = "" }: Door["link"] & { className?: string }) {
	return (
		<a href={url} rel={url.startsWith("/") ? undefined : "external"} className={`link inline-flex min-h-11 items-center ${className}`}>
			{label}
		</a>
	);
}

interface IncludedProps {
	/** Whether the official bulletin is read (docs/rules.md, R205). */
	watched: boolean;
	/** « 98,4 % », « octobre 2026 », « 1 240 commandes »; null when too few orders were delivered in a month. */
	punctuality: { share: string; month: string; base: string } | null;
}

/** What comes with an extract, and how often it came in time, beside a page of the shop. */
export function Included({ watched, punctuality }: IncludedProps) {
	return (
		<section aria-labelledby="compris" className="mt-8 border-y border-line bg-shade md:mt-24">
			<div className="mx-auto grid max-w-page gap-x-16 gap-y-6 px-5 py-6 sm:px-8 md:py-12 lg:grid-cols-2 lg:items-center">
				<div>
					<h2 id="compris" className="text-2xl">
						Compris dans le prix
					</h2>
					<ul className="mt-4 grid gap-2">
						{listIncluded(watched).map(({ icon, title, text }) => (
							<li key={title} className="flex gap-3">
								<Icon name={icon} className="mt-0.5 size-5 text-accent" />
								<p className="text-soft max-sm:text-sm">
									<strong className="font-semibold text-ink">{title}.</strong> {text}
								</p>
							</li>
						))}
					</ul>
					{punctuality && (
						<p className="mt-5">
							<strong className="figures font-semibold">{punctuality.share}</strong> des extraits commandés en {punctuality.month} ont été
							livrés à l’heure ({punctuality.base}).{" "}
							<a href={href("/statistiques")} className="link">
								Nos délais, mois par mois
							</a>
						</p>
					)}
				</div>
				<PurchaseScene />
			</div>
		</section>
	);
}

const listIncluded = (watched: boolean) =>
	[
		...(watched
			? ([
					{
						icon: "search",
						title: `${watchPeriod} de surveillance`,
						text: "Un e-mail si le BODACC publie une annonce qui peut changer l’extrait.",
					},
				] as const)
			: []),
		{ icon: "arrow", title: "Un lien à transmettre", text: "Votre banque l’ouvre et vérifie que l’extrait est intact." },
		{ icon: "document", title: "Une facture que vous corrigez vous-même", text: "Société, adresse, référence." },
		{
			icon: "clock",
			title: "Le remboursement avant la réclamation",
			text: `Un ${services.express.name} en retard est remboursé d’office.`,
		},
	] as const;

/** A page of the shop, drawn with its own parts: a purchase of several extracts an hour after its payment. Decorative. */
function PurchaseScene() {
	return (
		<figure>
			<div className="rounded-lg border border-line bg-sheet p-5 sm:p-6" aria-hidden="true">
				<p className="label text-soft">Une commande groupée</p>
				<p className="mt-1 font-serif text-xl font-medium">2 sur 3 prêts, 1 en cours</p>
				<ul className="mt-3 divide-y divide-line border-y border-line">
					{exampleLines.map(({ name, reference, status }) => (
						<li key={reference} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
							<span>
								<span className="block font-semibold">{name}</span>
								<span className="text-soft">{reference}</span>
							</span>
							<Status kind={status}>{status === "done" ? "Terminé" : "En traitement"}</Status>
						</li>
					))}
				</ul>
				<p className="figures mt-3 flex flex-wrap items-center gap-x-6 text-sm">
					<span className="inline-flex items-center gap-1.5 font-semibold">
						<Icon name="document" />3 extraits, une facture, un fichier ZIP
					</span>
				</p>
			</div>
			<figcaption className="sr-only">Illustration&nbsp;: le suivi d’une commande de trois extraits.</figcaption>
		</figure>
	);
}

const exampleLines = [
	{ name: "Boulangerie du Port", reference: "dossier 2026-114", status: "done" },
	{ name: "Ateliers Vidal", reference: "dossier 2026-115", status: "done" },
	{ name: "Transports Lemoine", reference: "dossier 2026-116", status: "processing" },
] as const;

/** What the greffe offers beside what the shop adds. @param badges facts about this installation. */
export function Choice({ badges }: { badges: ReturnType<typeof getBadges> }) {
	return (
		<HomeSection title="Le demander vous-même ou nous le confier&nbsp;?">
			<div className="grid gap-x-16 lg:grid-cols-[1fr_18rem]">
				<div>
					<Comparison short />
					<Disclosure title="Ce que vous pouvez vérifier" className="border-b">
						<dl className="grid gap-y-3 pb-6 text-sm">
							{badges.map(({ name, text }) => (
								<div key={name}>
									<dt className="font-semibold">{name}</dt>
									<dd className="text-soft">
										<InlineContent text={text} />
									</dd>
								</div>
							))}
						</dl>
					</Disclosure>
				</div>
				<CompareDrawing className="lg:w-48 max-lg:hidden" />
			</div>
		</HomeSection>
	);
}

/** The three services, and the announced subscription in one line. */
export function Offers({ openingHours, ...cards }: { openingHours: string } & ComponentProps<typeof OfferCards>) {
	return (
		<HomeSection
			id="services"
			title="Nos services"
			lead="Le fichier du greffe, en PDF par e-mail ou imprimé par courrier. Prix TTC, payés une seule fois."
		>
			<OfferCards {...cards} />
			<p className="mt-5 text-sm text-soft">
				Heures ouvrées, celles du traitement des commandes&nbsp;: {openingHours}. <SubscriptionSentence />
			</p>
			<PrivateService className="mt-3" />
		</HomeSection>
	);
}

/** The first questions, a link to all of them, and the contact of the support. */
export function Questions({ questions }: { questions: readonly Question[] }) {
	return (
		<HomeSection id="faq" title="Questions fréquentes">
			<div className="grid gap-x-16 gap-y-6 lg:grid-cols-[1fr_18rem]">
				<div className="max-w-form">
					<QuestionList questions={questions} />
					<p className="mt-2">
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
		<section id={id} className="mx-auto max-w-page px-5 pt-8 sm:px-8 md:pt-24">
			<h2 className="text-2xl">{title}</h2>
			{lead && <p className="mt-3 max-w-reading text-soft">{lead}</p>}
			<div className="mt-5">{children}</div>
		</section>
	);
}
