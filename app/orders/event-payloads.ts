import type { JsonObject } from "../../server/database/database-types.gen.ts";
import type { EventType } from "./lifecycle.ts";

/**
 * What may leave the shop of each event, in pages, the API, e-mails and a person's export (docs/rules.md, R181). Anything else in a payload,
 * such as who did it and why, is for the desk.
 */
export const publicFields: Record<EventType, readonly string[]> = {
	created: ["service"],
	paid: ["amount", "promise_moved"],
	processing: [],
	extract_requested: [],
	document_issued: ["document_id"],
	document_sent: ["document_id"],
	posted: ["tracking_number", "again"],
	extract_replaced: ["document_id", "replaces", "post"],
	tracking_corrected: ["tracking_number"],
	completed: [],
	failed: ["reason"],
	cancelled: [],
	expired: [],
	resumed: [],
	refund_requested: [],
	refunded: ["amount", "reason", "surplus"],
	disputed: ["status"],
	set_aside: [],
	late: ["promised_at"],
	mail_sent: ["kind"],
	mail_bounced: ["kind"],
	invoice_corrected: ["invoice", "replaces"],
	address_corrected: ["letter", "resent", "own"],
	company_changed: ["siren", "name", "replaces"],
	watch_ended: [],
};

/** @returns the part of an event's payload that its customer may see. */
export const toPublicPayload = (type: EventType, payload: JsonObject): JsonObject =>
	Object.fromEntries(publicFields[type].flatMap((field) => (payload[field] === undefined ? [] : [[field, payload[field]]])));
