import { type ServiceCode, services } from "../../catalogue/services.ts";
import { writeCsv } from "./csv.ts";

/** What a purchase brought and cost in a month, in cents. */
export interface MarginRow {
	/** The number of its first order; the provider's id for a fee of no order. */
	subject: string;
	/** Null when its orders are not all of one service. */
	service: ServiceCode | null;
	/** Without VAT; credit notes are negative. */
	net: number;
	fees: number;
	cost: number;
}

export type Margin = Pick<MarginRow, "net" | "fees" | "cost"> & { margin: number };

export function sumMargins(rows: readonly MarginRow[]): Margin {
	const sum = (get: (row: MarginRow) => number) => rows.reduce((total, row) => total + get(row), 0);
	const [net, fees, cost] = [sum((row) => row.net), sum((row) => row.fees), sum((row) => row.cost)];
	return { net, fees, cost, margin: net - fees - cost };
}

/** The margin of each purchase, and of the month. The cost of an extract is what was entered, with or without VAT as the owner decides. */
export function writeMargins(rows: readonly MarginRow[]): Uint8Array {
	const toCells = ({ net, fees, cost }: Omit<Margin, "margin">) => [
		{ cents: net },
		{ cents: fees },
		{ cents: cost },
		{ cents: net - fees - cost },
	];
	return writeCsv(
		["Commande", "Service", "Encaissé HT, avoirs déduits", "Frais du prestataire", "Coût de l’extrait", "Marge"],
		[
			...rows.map((row) => [row.subject, row.service === null ? "" : services[row.service].name, ...toCells(row)]),
			["Total", "", ...toCells(sumMargins(rows))],
		],
	);
}
