import type { ReactNode } from "react";
import type { Deadlines } from "../catalogue/deadlines.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { type ServiceCode, serviceCodes } from "../catalogue/services.ts";
import { Tag } from "../ui/card.tsx";
import { AnnotatedKbis } from "./annotated-kbis.tsx";
import type { Highlight, openings, people, statistics, testimonials } from "./claims.ts";
import { Comparison } from "./comparison.tsx";
import { Blocks, type Parts } from "./content-blocks.tsx";
import { OfferCards, ServicePanel } from "./offer-cards.tsx";
import { findFastest, HourPanel } from "./promised-hour.tsx";
import type { RecipientCard, RecipientDescription } from "./recipients/describe-recipients.ts";
import { Essentials, RecipientCards, RecipientOffer } from "./recipients/recipient-parts.tsx";
import type { Table } from "./text.ts";

/** The claims and catalogue values that the parts show. */
export interface PartValues {
	/** Whether claims are marked as examples. */
	demo: boolean;
	people: typeof people;
	openings: typeof openings;
	statistics: typeof statistics;
	testimonials: typeof testimonials;
	/** The label on the recommended service. */
	highlight: Highlight;
	/** The promise of each service for a payment now. */
	deadlines: Deadlines;
	weeks: Record<ServiceCode, PromiseWeek>;
	/** On the page of a kind of recipient. */
	recipient: RecipientDescription | null;
	/** All kinds of recipients, on the page that lists them. */
	recipientCards: readonly RecipientCard[];
}

/** Creates the components that replace `{{name}}` in the text of a content page. */
export const createContentParts = ({
	demo,
	people,
	openings,
	statistics,
	testimonials,
	highlight,
	deadlines,
	weeks,
	recipient,
	recipientCards,
}: PartValues) =>
	({
		...Object.fromEntries(
			serviceCodes.map((code) => [code, <ServicePanel key={code} code={code} week={weeks[code]} deadline={deadlines[code]} />]),
		),
		offers: (
			<div className="pb-4">
				<OfferCards highlight={highlight} deadlines={deadlines} />
			</div>
		),
		hour: <ContentHour deadlines={deadlines} weeks={weeks} />,
		comparison: <Comparison className="lg:table-fixed" />,
		recipients: <RecipientCards cards={recipientCards} />,
		essentials: recipient && <Essentials {...recipient.essentials} />,
		asked: recipient && <Blocks blocks={[{ table: recipient.table }]} />,
		offer: recipient?.service && <RecipientOffer service={recipient.service} deadlines={deadlines} />,
		kbis: (table: Table) => <AnnotatedKbis table={table} />,
		opinions:
			statistics.length + testimonials.length > 0 ? (
				<Examples demo={demo}>
					{demo && (
						<p className="mb-5 text-soft">
							Chiffres et témoignages inventés pour la démonstration&nbsp;: le site réel n’affiche que des avis vérifiés.
						</p>
					)}
					<Opinions statistics={statistics} testimonials={testimonials} />
				</Examples>
			) : (
				<p>Nous n’affichons que des avis vérifiés, et nous n’en avons pas encore.</p>
			),
		team:
			people.length > 0 ? (
				<Examples demo={demo}>
					<ItemList rows={people.map(({ name, role, about }) => ({ title: name, note: role, body: about }))} />
				</Examples>
			) : (
				<p>Nous ne publions pas encore les noms des membres de l’équipe.</p>
			),
		openings:
			openings.length > 0 ? (
				<Examples demo={demo}>
					<ItemList rows={openings.map(({ area, work, profile }) => ({ title: area, body: `${work} ${profile}` }))} />
				</Examples>
			) : (
				<p>Aucun poste n’est ouvert en ce moment. Nous lisons quand même les candidatures spontanées.</p>
			),
	}) satisfies Parts;

/** Nothing while no service by e-mail can be ordered: the notice at the top of the page says why. */
function ContentHour({ deadlines, weeks }: Pick<PartValues, "deadlines" | "weeks">) {
	const fastest = findFastest(deadlines);
	if (fastest === null) return null;
	return <HourPanel service={fastest} deadlines={deadlines} week={weeks[fastest]} className="ink-band mb-2 rounded-lg p-5 sm:p-8" />;
}

/** Figures and reviews of customers. */
function Opinions({ statistics, testimonials }: Pick<PartValues, "statistics" | "testimonials">) {
	return (
		<>
			<dl className="mb-8 grid grid-cols-2 gap-x-8 gap-y-6">
				{statistics.map(({ figure, label }) => (
					<div key={label} className="border-l border-line pl-4">
						<dt className="text-sm text-soft">{label}</dt>
						<dd className="figures font-serif text-2xl font-medium">{figure}</dd>
					</div>
				))}
			</dl>
			<ul className="grid gap-6">
				{testimonials.map(({ quote, name, role, company }) => (
					<li key={quote}>
						<figure>
							<blockquote className="font-serif text-lg font-medium">«&nbsp;{quote}&nbsp;»</blockquote>
							<figcaption className="mt-2 text-sm text-soft">
								{name}, {role}, {company}
							</figcaption>
						</figure>
					</li>
				))}
			</ul>
		</>
	);
}

/** Marks the examples of a demo. */
function Examples({ demo, children }: { demo: boolean; children: ReactNode }) {
	return (
		<div>
			{demo && (
				<p className="mb-4">
					<Tag>Exemple</Tag>
				</p>
			)}
			{children}
		</div>
	);
}

function ItemList({ rows }: { rows: readonly { title: string; note?: string; body: string }[] }) {
	return (
		<ul className="divide-y divide-line border-t border-line">
			{rows.map(({ title, note, body }) => (
				<li key={title} className="py-4">
					<h3 className="text-lg">
						{title}
						{note && <span className="font-sans text-sm text-soft">, {note}</span>}
					</h3>
					<p className="mt-1">{body}</p>
				</li>
			))}
		</ul>
	);
}
