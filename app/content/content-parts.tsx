import type { ReactNode } from "react";
import type { Deadlines } from "../catalogue/deadlines.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { type ServiceCode, serviceCodes } from "../catalogue/services.ts";
import { Tag } from "../ui/card.tsx";
import { AnnotatedKbis } from "./annotated-kbis.tsx";
import type { Highlight, openings, people } from "./claims.ts";
import { Comparison } from "./comparison.tsx";
import type { Parts } from "./content-blocks.tsx";
import { OfferCards, ServicePanel } from "./offer-cards.tsx";
import { findFastest, HourPanel } from "./promised-hour.tsx";
import type { Table } from "./text.ts";

/** The claims and catalogue values that the parts show. */
export interface PartValues {
	/** Whether claims are marked as examples. */
	demo: boolean;
	people: typeof people;
	openings: typeof openings;
	/** The label on the recommended service. */
	highlight: Highlight;
	/** The promise of each service for a payment now. */
	deadlines: Deadlines;
	weeks: Record<ServiceCode, PromiseWeek>;
}

/** Creates the components that replace `{{name}}` in the text of a content page. */
export const createContentParts = ({ demo, people, openings, highlight, deadlines, weeks }: PartValues) =>
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
		kbis: (table: Table) => <AnnotatedKbis table={table} />,
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

/** Marks the examples of a demo. */
export function Examples({ demo, className, children }: { demo: boolean; className?: string; children: ReactNode }) {
	return (
		<div className={className}>
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
