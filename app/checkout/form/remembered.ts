import { type BillingIdentity, billingFields, toIdentity } from "./billing-identity.ts";
import { rememberedKey } from "./draft.ts";
import type { FieldTexts } from "./fields/fill-fields.ts";
import type { OrderField, OrderValues } from "./order-form.ts";

/** A customer's own details, stored in this browser at their request, for the next order (docs/rules.md, R13). */

const contactFields: readonly OrderField[] = ["email", "firstName", "lastName", "phone"];
const fields: readonly string[] = [...contactFields, ...billingFields];

export interface Remembered {
	contact: FieldTexts;
	/** Whom the last order was invoiced to. */
	identity: BillingIdentity | null;
}

/** @returns the details, or null when there are none, or none that can be read. */
export function loadRemembered(): Remembered | null {
	try {
		const stored: object = JSON.parse(localStorage.getItem(rememberedKey) ?? "{}");
		const texts = Object.entries(stored).filter(([field, text]) => fields.includes(field) && typeof text === "string");
		if (texts.length === 0) return null;
		const contact = Object.fromEntries(texts.filter(([field]) => contactFields.some((name) => name === field)));
		return { contact, identity: toIdentity(Object.fromEntries(texts)) };
	} catch {
		return null;
	}
}

/** Stores the details of a form. @param completed its values with all addresses filled in. */
export function saveRemembered(completed: OrderValues): void {
	const saved = [...contactFields, ...billingFields].filter((field) => completed[field] !== "");
	try {
		localStorage.setItem(rememberedKey, JSON.stringify(Object.fromEntries(saved.map((field) => [field, completed[field]]))));
	} catch {
		// storage full or forbidden: the order goes on
	}
}

export function deleteRemembered(): void {
	try {
		localStorage.removeItem(rememberedKey);
	} catch {
		// storage forbidden: nothing is stored
	}
}
