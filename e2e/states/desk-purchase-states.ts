import type pg from "pg";
import type { DeskState } from "./desk-states.ts";

/** Makes one purchase of paid orders, with a long reference on each. @returns their numbers, the first order first. */
export async function insertPurchase(database: pg.Client): Promise<string[]> {
	const { rows } = await database.query(
		`with bought as (
			select id, row_number() over (order by created_at) as line, first_value(id) over (order by created_at) as first from orders where paid_at is not null
		)
		update orders set purchase_id = bought.first, purchase_line = bought.line,
			reference = 'dossier 2026-114/' || bought.line || ' de la société Établissements Lefèvre et fils, à Saint-Germain-en-Laye'
		from bought where bought.id = orders.id returning order_number as number, purchase_line as line`,
	);
	return rows.sort((one, other) => one.line - other.line).map(({ number }) => number as string);
}

/** Screens with orders of a purchase. */
export const listPurchaseStates = (numbers: readonly string[]): DeskState[] => [
	{ name: "a purchase: its first order", path: `commandes/${numbers[0]}` },
	{ name: "a purchase: its last order", path: `commandes/${numbers.at(-1)}` },
	{ name: "a purchase: the money of its second order", path: `argent/${numbers[1]}` },
	{ name: "a purchase: the money of the shop", path: "argent" },
	{ name: "a purchase: the queue", path: "commandes" },
];
