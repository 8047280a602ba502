import type { OrderField, OrderValues } from "./order-form.ts";

/** The form's draft, in this browser only. Consents are never part of it: they are given anew each time (decision B7). */
const storageKey = "kbis-draft";
const neverKept: readonly OrderField[] = ["acceptTerms", "waiveWithdrawal"];

export interface Draft {
	values: Partial<OrderValues>;
	companyName: string;
}

/** @returns the draft, or null when there is none or the browser keeps none. */
export function loadDraft(): Draft | null {
	try {
		const draft = JSON.parse(localStorage.getItem(storageKey) ?? "null");
		return typeof draft?.values === "object" && draft.values !== null
			? { values: draft.values, companyName: String(draft.companyName ?? "") }
			: null;
	} catch {
		return null;
	}
}

/** Keeps what was typed once somebody is named in it; false when there was nothing worth keeping. */
export function saveDraft(values: OrderValues, companyName: string): boolean {
	if (!values.email && !values.firstName && !values.lastName) return false;
	const kept = Object.fromEntries(Object.entries(values).filter(([field]) => !neverKept.includes(field as OrderField)));
	try {
		localStorage.setItem(storageKey, JSON.stringify({ values: kept, companyName } satisfies Draft));
		return true;
	} catch {
		return false; // a full or forbidden storage costs the draft, not the order
	}
}

export function discardDraft(): void {
	try {
		localStorage.removeItem(storageKey);
	} catch {
		// nothing was kept, so nothing is left
	}
}
