import type { ReactNode } from "react";
import { guaranteePeriod } from "../catalogue/after-sale.ts";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { setFrenchSpaces } from "../ui/french-spaces.ts";
import { useSite } from "../ui/site.ts";

/**
 * Our price of an electronic extract beside the greffe's, with what each includes. A letter has our price alone: the greffe's is not
 * known here. The source of the greffe's price stands nearby, in PrivateService or the text.
 * @param short without the rows that « Inclus » tells already.
 */
export function Comparison({ short = false, className = "" }: { short?: boolean; className?: string }) {
	const site = useSite();
	if (!site) return null;
	const { standard, express, postal } = services;
	return (
		<table className={`w-full border-collapse text-left text-sm max-sm:block ${className}`}>
			<caption className="sr-only">Demander un extrait vous-même, ou avec {site.shop.name}</caption>
			<thead className="max-sm:block">
				<tr className="border-b border-edge max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4">
					<td className="w-40 max-sm:hidden" />
					<ColumnHeading>Au greffe</ColumnHeading>
					<ColumnHeading>Avec nous</ColumnHeading>
				</tr>
			</thead>
			<tbody className="max-sm:block">
				<Row
					name="Prix"
					greffe={
						<>
							<Price>{site.officialPrice}</Price>
							l’extrait électronique
						</>
					}
					shop={
						<>
							<Price>{`${formatEuros(standard.price)} ou ${formatEuros(express.price)}`}</Price>
							TTC, une seule fois{!short && `\u00a0; par courrier, ${formatEuros(postal.price)}`}
						</>
					}
				/>
				<Row
					name="Inclus"
					greffe="L’extrait"
					shop="L’extrait, son contrôle, son envoi avant une heure annoncée, le suivi et l’assistance"
				/>
				{!short && <Row name="Qui contrôle" greffe="Vous" shop="Nous, avant l’envoi : numéro SIREN, date, fichier lisible" />}
				{!short && (
					<Row
						name="Remboursement"
						greffe="Selon les conditions du greffe"
						shop={`${express.name} en retard : remboursé sans démarche. Extrait erroné : remboursé, après vérification, si vous le signalez dans les ${guaranteePeriod}.`}
					/>
				)}
			</tbody>
		</table>
	);
}

const columnHeading = "py-2 align-bottom font-serif text-lg font-medium";

function ColumnHeading({ children }: { children: ReactNode }) {
	return (
		<th scope="col" className={`${columnHeading} pr-6`}>
			{children}
		</th>
	);
}

const Price = ({ children }: { children: ReactNode }) => (
	<span className="figures block font-serif text-lg leading-snug font-medium sm:text-xl">{children}</span>
);

function Row({ name, greffe, shop }: { name: string; greffe: ReactNode; shop: ReactNode }) {
	const cell = (content: ReactNode) => (typeof content === "string" ? setFrenchSpaces(content) : content);
	return (
		<tr className="border-b border-line max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:py-2">
			<th scope="row" className="label py-3 pr-4 align-top col-span-2 max-sm:py-0">
				{name}
			</th>
			<td className="py-3 pr-6 align-top text-soft max-sm:py-1">{cell(greffe)}</td>
			<td className="py-3 align-top max-sm:py-1">{cell(shop)}</td>
		</tr>
	);
}
