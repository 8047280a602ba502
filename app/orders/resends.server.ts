import type { Database, Trx } from "../../server/database/database.ts";
import type { JsonObject } from "../../server/database/database-types.gen.ts";
import type { Order } from "./order.ts";
import { listEvents } from "./orders.store.server.ts";

// What a customer had sent again to a second address after the delivery (docs/rules.md, R246 and R252): its event says whether it is their own.

/** The most times that the extracts of a purchase are sent again by its customer. */
export const maxResends = 3;

interface CorrectionEvent<Time> {
	event_type: string;
	payload: JsonObject;
	created_at: Time;
}

const isCorrection = ({ event_type, payload }: CorrectionEvent<unknown>) => event_type === "address_corrected" && payload.letter !== true;

/** The times at which the extracts were sent again. @param events of any order of the purchase, oldest first. */
export const listResends = <Time>(events: readonly CorrectionEvent<Time>[]): Time[] =>
	events.filter((event) => isCorrection(event) && event.payload.resent === true).map(({ created_at }) => created_at);

/** Whether the second address is the customer's own. @param events of any order of the purchase, oldest first. */
export const isOwnAddress = (events: readonly CorrectionEvent<unknown>[]): boolean => events.findLast(isCorrection)?.payload.own === true;

/** The customer's own second address, which has taken the place of the address of the order in e-mails; null without one. */
export async function findOwnAddress(
	db: Database | Trx,
	{ id, delivery_email }: Pick<Order, "id" | "delivery_email">,
): Promise<string | null> {
	return delivery_email !== null && isOwnAddress(await listEvents(db, id)) ? delivery_email : null;
}
