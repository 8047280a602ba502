import type { Database } from "../../../server/database/database.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import type { Issuer } from "./issuer.ts";
import { manualIssuer } from "./manual-issuer.server.ts";
import { specimenIssuer } from "./specimen-issuer.server.ts";

interface DemoIssuerContext {
	db: Database;
	read: (path: string) => Promise<Uint8Array>;
	now: () => Date;
}

/** The demo's issuer: specimens at once, or the desk for the orders that were paid while its switch was on. */
export function demoIssuer(context: DemoIssuerContext): Issuer {
	const [manual, specimen] = [manualIssuer(context), specimenIssuer(context.now, (siren) => findCompany(context.db, siren))];
	// an order that waits for the desk keeps its request, whatever the switch says later
	const choose = async (orderId: string) => ((await findRequest(context.db, orderId)) ? manual : specimen);
	return {
		name: "specimen",
		request: async (order) => ((await servesByHand(context.db)) ? manual : specimen).request(order),
		result: async (order) => (await choose(order.orderId)).result(order),
		post: async (order) => (await choose(order.orderId)).post(order),
	};
}

export async function servesByHand(db: Database): Promise<boolean> {
	const row = await db.selectFrom("sandbox.desk").select("serves_by_hand").executeTakeFirst();
	return row?.serves_by_hand === true;
}

export async function setServesByHand(db: Database, byHand: boolean): Promise<void> {
	const values = { serves_by_hand: byHand };
	await db
		.insertInto("sandbox.desk")
		.values(values)
		.onConflict((conflict) => conflict.column("singleton").doUpdateSet(values))
		.execute();
}
