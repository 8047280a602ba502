import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type JsonText, toJson } from "../../../server/database/column-types.ts";
import type { Database } from "../../../server/database/database.ts";
import { emailsEqual, normalizeEmail } from "../../mail/normalize-email.ts";
import type { FormLine } from "./form-line.ts";
import type { OrderValues } from "./order-form.ts";

/** SQL of the table `order_forms`. A form past its end counts as absent, until the purge deletes it. */

export interface StoredForm extends FormContent {
	/** The idempotency key of the purchase that this content places. */
	orderKey: string;
}

export interface FormContent {
	fields: Partial<OrderValues>;
	/** What is ordered; none before a company is chosen. */
	lines: readonly FormLine[];
	/** The rows of its list that name no company; its page tells them once. */
	leftOut: readonly string[];
}

/** As it is stored: the lines beside the fields. Of most forms nothing was left out. */
type StoredContent = Partial<OrderValues> & Pick<FormContent, "lines"> & Partial<Pick<FormContent, "leftOut">>;

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"order_forms.fields": StoredContent;
	}
}

const toStored = ({ fields, lines, leftOut }: FormContent): JsonText<StoredContent> =>
	toJson({ ...fields, lines, ...(leftOut.length > 0 && { leftOut }) });

export async function insertForm(db: Database, tokenHash: Buffer, content: FormContent, expiresAt: Date): Promise<void> {
	await db
		.insertInto("order_forms")
		.values({ token_hash: tokenHash, fields: toStored(content), order_key: randomUUID(), expires_at: expiresAt })
		.execute();
}

/** Updates a form that has not expired; changed fields get a new key. @returns false when there is none. */
export async function updateForm(
	db: Database,
	tokenHash: Buffer,
	content: FormContent,
	{ expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<boolean> {
	const json = toStored(content);
	const updated = await db
		.updateTable("order_forms")
		.set({
			fields: json,
			order_key: sql<string>`case when fields = ${json}::jsonb then order_key else ${randomUUID()}::uuid end`,
			expires_at: expiresAt,
		})
		.where("token_hash", "=", tokenHash)
		.where("expires_at", ">", now)
		.executeTakeFirst();
	return updated.numUpdatedRows === 1n;
}

/**
 * Gives a form a new key, unless it got one meanwhile.
 * @returns the key that the form has then; null when its fields are no longer these, or when there is no form.
 */
export async function updateOrderKey(db: Database, tokenHash: Buffer, form: StoredForm, now: Date): Promise<string | null> {
	const { orderKey } = form;
	const updated = await db
		.updateTable("order_forms")
		.set({ order_key: sql<string>`case when order_key = ${orderKey}::uuid then ${randomUUID()}::uuid else order_key end` })
		.where("token_hash", "=", tokenHash)
		.where("expires_at", ">", now)
		.where(sql<boolean>`fields = ${toStored(form)}::jsonb`)
		.returning("order_key")
		.executeTakeFirst();
	return updated?.order_key ?? null;
}

export async function findForm(db: Database, tokenHash: Buffer, now: Date): Promise<StoredForm | null> {
	const row = await db
		.selectFrom("order_forms")
		.select(["fields", "order_key"])
		.where("token_hash", "=", tokenHash)
		.where("expires_at", ">", now)
		.executeTakeFirst();
	if (!row) return null;
	const { lines, leftOut = [], ...fields } = row.fields;
	return { fields, lines, leftOut, orderKey: row.order_key };
}

/** @returns the number of deleted forms. */
export async function deleteExpiredForms(db: Database, now: Date): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom("order_forms").where("expires_at", "<=", now).executeTakeFirst();
	return Number(numDeletedRows);
}

/** Whether a form contains a person's address, as customer or as recipient. The table has a day's forms: no index is needed. */
const hasEmail = (email: string) =>
	sql<boolean>`(${emailsEqual(sql`fields->>'email'`, email)} or ${emailsEqual(sql`fields->>'deliveryEmail'`, email)})`;

/** A person's forms; of another customer's form with their address, only what concerns them. */
export async function listFormsByEmail(db: Database, email: string): Promise<object[]> {
	const rows = await db.selectFrom("order_forms").select("fields").where(hasEmail(email)).orderBy("expires_at").execute();
	return rows.map(({ fields: form }) => {
		if (normalizeEmail(form.email ?? "") === normalizeEmail(email)) return form;
		const { service, deliveryEmail, lines } = form;
		return { service, deliveryEmail, companies: lines.map(({ company }) => company) };
	});
}

/** @returns the number of deleted forms. */
export async function deleteFormsByEmail(db: Database, email: string): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom("order_forms").where(hasEmail(email)).executeTakeFirst();
	return Number(numDeletedRows);
}
