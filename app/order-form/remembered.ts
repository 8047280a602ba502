import type { FieldTexts } from "./fields/fill-fields.ts";
import type { OrderField, OrderValues } from "./order-form.ts";

/** A customer's own details, stored in this browser at their request, for the next order (docs/rules.md, R13). */
const storageKey = "kbis-coordonnees";

const ownFields: readonly OrderField[] = ["email", "firstName", "lastName", "phone"];
const invoiceFields: readonly OrderField[] = ["company", "billingSiren", "billingVat", "address", "postalCode", "city"];
const fields: readonly string[] = [...ownFields, ...invoiceFields];

/** @returns the details, or null when there are none, or none that can be read. */
export function loadRemembered(): FieldTexts | null {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "null");
		if (typeof stored !== "object" || stored === null) return null;
		const details: FieldTexts = Object.fromEntries(
			Object.entries(stored).filter(([field, text]) => fields.includes(field) && typeof text === "string"),
		);
		return Object.keys(details).length > 0 ? details : null;
	} catch {
		return null;
	}
}

/** Stores the details of a form. A typed invoice is part of them; one to the company ordered, or to a letter's address, is not. */
export function saveRemembered(values: OrderValues): void {
	const saved = (values.billTo === "other" ? [...ownFields, ...invoiceFields] : ownFields).filter((field) => values[field] !== "");
	try {
		localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(saved.map((field) => [field, values[field]]))));
	} catch {
		// storage full or forbidden: the order goes on
	}
}

export function deleteRemembered(): void {
	try {
		localStorage.removeItem(storageKey);
	} catch {
		// storage forbidden: nothing is stored
	}
}
