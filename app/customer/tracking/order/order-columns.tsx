import type { ReactNode } from "react";
import { getLetterUrl } from "../../../orders/letter-tracking.ts";
import { Page, Section } from "../../../ui/page.tsx";

interface OrderColumnsProps {
	/** What happens with the order. */
	state: ReactNode;
	/** What was ordered, and what the customer may still change. On wide screens a card beside the rest. */
	summary: ReactNode;
	children: ReactNode;
}

/** The page of one order. On narrow screens it is one column: state, summary, the rest. */
export function OrderColumns({ state, summary, children }: OrderColumnsProps) {
	return (
		<Page width="page">
			<div className="max-w-form lg:grid lg:max-w-none lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_1fr] lg:gap-x-16">
				<div className="min-w-0">{state}</div>
				<Section
					title="Récapitulatif"
					className="lg:row-span-2 lg:self-start lg:rounded-lg lg:border lg:bg-sheet lg:p-6 lg:[&_dl>div]:grid-cols-1"
				>
					{summary}
				</Section>
				<div className="min-w-0">{children}</div>
			</div>
		</Page>
	);
}

/** « Commande KB-7F3K-92QD », above a title. The number stays on one line: it is copied and read out. */
export function OrderNumber({ number }: { number: string }) {
	return (
		<>
			Commande <span className="figures whitespace-nowrap">{number}</span>
		</>
	);
}

/** « Numéro de suivi : 6A01234567890 », with the way of the letter on the site of La Poste. */
export function TrackingNumber({ number }: { number: string }) {
	const url = getLetterUrl(number);
	const text = <span className="figures whitespace-nowrap">{number}</span>;
	return (
		<>
			Numéro de suivi&nbsp;:{" "}
			{url ? (
				<a className="link inline-flex min-h-11 items-center" href={url} rel="noreferrer">
					<span>
						{text} <span className="sr-only">sur le site de La Poste</span>
					</span>
				</a>
			) : (
				text
			)}
		</>
	);
}

/** How a letter is delivered, and where to. @param lines the recipient and the address; null where the reader may not see them. */
export function LetterDelivery({ lines }: { lines: readonly string[] | null }) {
	return (
		<>
			Par courrier suivi
			{lines?.map((line) => (
				<span key={line} className="block break-words">
					{line}
				</span>
			))}
		</>
	);
}
