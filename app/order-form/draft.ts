import { typedEntries } from "../../server/types/objects.ts";
import { draftDays } from "../catalogue/retention.ts";
import type { CompanyPreview } from "../companies/company.ts";
import type { OrderField, OrderValues } from "./order-form.ts";

/** The form's draft, in this browser only. No box is part of it: each is ticked anew (docs/rules.md, R13). */
const storageKey = "kbis-draft";
const neverKept: readonly OrderField[] = ["acceptTerms", "waiveWithdrawal", "newsletter"];

export interface Draft {
	/** Milliseconds since 1970, by the browser's clock. */
	savedAt: number;
	values: Partial<OrderValues>;
	company: CompanyPreview | null;
}

/** @returns the draft, or null when there is none or the browser keeps none. One that is too old, or unreadable, is deleted. */
export function loadDraft(): Draft | null {
	try {
		const text = localStorage.getItem(storageKey);
		const draft: Draft = JSON.parse(text ?? "null");
		if (draft?.values && Date.now() - draft.savedAt < draftDays * 86_400_000) return draft;
		if (text) discardDraft();
	} catch {
		discardDraft();
	}
	return null;
}

/** Keeps what was typed once somebody is named in it; false when there was nothing worth keeping. */
export function saveDraft(values: OrderValues, company: CompanyPreview | null): boolean {
	if (!values.email && !values.firstName && !values.lastName) return false;
	const kept = Object.fromEntries(typedEntries(values).filter(([field]) => !neverKept.includes(field)));
	try {
		localStorage.setItem(storageKey, JSON.stringify({ savedAt: Date.now(), values: kept, company } satisfies Draft));
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
