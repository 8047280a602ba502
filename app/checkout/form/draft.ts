import { typedEntries } from "../../../server/types/objects.ts";
import { draftDays } from "../../catalogue/retention.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import type { OrderField, OrderValues } from "./order-form.ts";

/** The form's draft, in this browser only, without the boxes: the customer ticks them again (docs/rules.md, R13). */
const storageKey = "kbis-draft";
const unsavedFields: readonly OrderField[] = ["acceptTerms", "waiveWithdrawal", "newsletter"];

export interface Draft {
	/** Absent from drafts of a form that chose the company ordered by itself: who is invoiced is asked again. */
	asked?: true;
	/** Milliseconds since 1970, by the browser's clock. */
	savedAt: number;
	values: Partial<OrderValues>;
	company: CompanyPreview | null;
	/** The customer's own; absent from drafts of a form without it. */
	reference?: string;
}

/** @returns the draft, or null when there is none. Deletes one that is too old or unreadable. */
export function loadDraft(): Draft | null {
	try {
		const text = localStorage.getItem(storageKey);
		const draft: Draft = JSON.parse(text ?? "null");
		if (draft?.values && Date.now() - draft.savedAt < draftDays * 86_400_000) {
			if (!draft.asked && draft.values.billTo === "ordered") delete draft.values.billTo;
			return draft;
		}
		if (text) deleteDraft();
	} catch {
		deleteDraft();
	}
	return null;
}

/** Saves the draft once it has a name or an e-mail. @returns whether it was saved. */
export function saveDraft(values: OrderValues, company: CompanyPreview | null, reference = ""): boolean {
	if (!values.email && !values.firstName && !values.lastName) return false;
	const saved = Object.fromEntries(typedEntries(values).filter(([field]) => !unsavedFields.includes(field)));
	try {
		localStorage.setItem(
			storageKey,
			JSON.stringify({ asked: true, savedAt: Date.now(), values: saved, company, reference } satisfies Draft),
		);
		return true;
	} catch {
		return false; // storage full or forbidden: the order goes on without a draft
	}
}

export function deleteDraft(): void {
	try {
		localStorage.removeItem(storageKey);
	} catch {
		// storage forbidden: there is no draft
	}
}

/** The clocks of browsers and shop differ by minutes. */
const clockDifference = 5 * 60_000;

/** Deletes the draft of an order that was paid; one that was saved later is of another form. @param paidAt in ISO 8601. */
export function deletePaidDraft(paidAt: string): void {
	const draft = loadDraft();
	if (draft && draft.savedAt < Date.parse(paidAt) + clockDifference) deleteDraft();
}

/** Where a browser stores a customer's details (remembered.ts), whose code is loaded only if it does. */
export const rememberedKey = "kbis-coordonnees";

export function hasRemembered(): boolean {
	try {
		return localStorage.getItem(rememberedKey) !== null;
	} catch {
		return false; // storage forbidden: nothing is stored
	}
}
