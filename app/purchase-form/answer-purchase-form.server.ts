import type { Runtime } from "../../server/runtime.ts";
import { serviceCodes } from "../catalogue/services.ts";
import {
	answerButton,
	type CompanySearchResult,
	correctEmail,
	findDoubtfulEmail,
	suggestEmails,
	tooManyForms,
} from "../order-form/answer-order-form.server.ts";
import { correctionField } from "../order-form/email-correction.ts";
import type { OrderErrors, OrderField } from "../order-form/order-form.ts";
import { type StoreOutcome, storeForm } from "../order-form/order-forms.server.ts";
import { describeRefusal } from "../shop-settings/sales-sentences.ts";
import { describeTooMany } from "./answer-list.server.ts";
import { toSentLines } from "./check-lines.server.ts";
import { isOrderable, isOrdered } from "./checked-line.ts";
import { askForService, describeNothingOrdered, describeOtherService } from "./line-sentences.ts";
import { describePurchaseForm, type PurchaseFormData, type PurchaseShop } from "./purchase-form-data.server.ts";
import { checkPurchaseValues, clearUnusedOfPurchase } from "./purchase-values.ts";
import { type PurchaseForm, readPurchaseForm, shownField } from "./read-purchase-form.ts";
import { findUnseen } from "./shown-lines.server.ts";
import { maxLines } from "./typed-lines.ts";

/** What the page of the form says beside its data. */
export interface PurchaseFormState {
	/** `lines`: nothing is ordered. `ligne-7`: line 7's own service is closed. */
	errors: OrderErrors & { lines?: string; [line: `ligne-${number}`]: string };
	suggestions: Partial<Record<OrderField, string>>;
	/** Only such an address stopped the purchase: the next submit passes. */
	doubtful: OrderField | null;
	/** The result of the search for the company of the invoice. */
	billingFound: CompanySearchResult | null;
	refusal: string | null;
	/** The places of lines that were sent to the payment before the page had shown what they order. */
	unseen: number[];
	/** What was typed in the field for further companies, and could not be added. */
	added: string;
}

export const noFindings: PurchaseFormState = {
	errors: {},
	suggestions: {},
	doubtful: null,
	billingFound: null,
	refusal: null,
	unseen: [],
	added: "",
};

/** 409: the shop is closed. */
type RefusedStatus = 200 | 400 | 409 | 429;

export type PurchaseFormAnswer =
	/** The form is stored under this token; `sent`: it goes to the payment. */
	| { ok: true; token: string; sent: boolean }
	/** `retryAfter`: seconds, after too many changes. */
	| { ok: false; status: RefusedStatus; page: PurchaseFormData & PurchaseFormState; retryAfter?: number };

/**
 * Handles the form of several orders, whose page is not hydrated: its buttons change the list, search for the company of the invoice, or go on
 * to the payment. Whatever it answers, what was typed is stored. Nothing goes to the payment that the page had not shown.
 */
export async function answerPurchaseForm(
	shop: PurchaseShop & Runtime,
	form: FormData,
	{ token, client }: { token: string | null; client: string },
): Promise<PurchaseFormAnswer> {
	const [intent = "", subject = ""] = String(form.get("intent") ?? "").split(":");
	const { added, ...read } = readPurchaseForm(form);
	read.values = correctEmail(read.values, form.get(correctionField));
	const listed = removeLine(read, intent === "remove" ? Number(subject) : 0);
	const typed = { ...listed, lines: [...listed.lines, ...added] };
	if (typed.lines.length > maxLines) {
		const errors = { lines: describeTooMany(typed.lines.length) };
		return show(await describePurchaseForm(shop, listed), 400, { errors, added: String(form.get("entreprises")) });
	}
	const store = (content: PurchaseForm) => storeForm(shop, content.values, { token, client, lines: content.lines });
	if (intent === "update" || intent === "remove") return toAnswer(shop, typed, await store(typed));
	if (intent !== "") {
		const { values = typed.values, billingFound = null } = await answerButton(shop, form, { values: typed.values, intent, subject });
		const changed = { ...typed, values };
		const stored = await store(changed);
		return stored.ok ? show(await describePurchaseForm(shop, changed), 200, { billingFound }) : toAnswer(shop, changed, stored);
	}
	return submit(shop, form, typed, store);
}

async function submit(
	shop: PurchaseShop & Runtime,
	form: FormData,
	typed: PurchaseForm,
	store: (content: PurchaseForm) => Promise<StoreOutcome>,
): Promise<PurchaseFormAnswer> {
	const page = await describePurchaseForm(shop, typed);
	const ordered = page.lines.filter(isOrderable);
	const errors: PurchaseFormState["errors"] = checkPurchaseValues(page.values, ordered);
	const withoutService = ordered.filter(({ service }) => service === null).map(({ place }) => place);
	if (ordered.length === 0) errors.lines = describeNothingOrdered(page.lines.length);
	if (ordered.length === 0) delete errors.service;
	else if (withoutService.length > 0) errors.service = askForService(withoutService, ordered.length);
	const sales = await shop.readSales();
	const closed = ordered.filter(isOrdered).filter(({ service }) => service in sales.closed);
	const [first] = closed;
	const closedSentence = first ? describeRefusal(first.service, { ...sales, now: shop.now() }) : null;
	const isAllClosed = serviceCodes.every((code) => code in sales.closed);
	if (first && !isAllClosed) {
		const field = first.line.service === "" ? "service" : (`ligne-${first.place}` as const);
		errors[field] = `${closedSentence} ${describeOtherService(closed, first)}`;
	}
	const used = clearUnusedOfPurchase(page.values, ordered);
	const doubtful = findDoubtfulEmail(used, form.getAll("checkedEmail"));
	const unseen = findUnseen(page.lines, String(form.get(shownField)));
	const isValid = Object.keys(errors).length === 0;
	const isSent = isValid && first === undefined && doubtful === null && unseen.length === 0;
	const lines = isSent ? toSentLines(page.lines) : typed.lines;
	const stored = await store({ values: isSent ? used : page.values, lines });
	if (!stored.ok) return refuse(page, stored);
	if (isSent) return { ok: true, token: stored.token, sent: true };
	if (isValid && closedSentence) return show(page, 409, { refusal: closedSentence });
	return show(page, isValid ? 200 : 400, { errors, doubtful, unseen });
}

function removeLine({ values, lines }: PurchaseForm, place: number): PurchaseForm {
	return { values, lines: lines.filter((_, index) => index + 1 !== place) };
}

async function toAnswer(shop: PurchaseShop, typed: PurchaseForm, stored: StoreOutcome): Promise<PurchaseFormAnswer> {
	return stored.ok ? { ok: true, token: stored.token, sent: false } : refuse(await describePurchaseForm(shop, typed), stored);
}

const refuse = (page: PurchaseFormData, { retryAfter }: { retryAfter: number }): PurchaseFormAnswer => ({
	...show(page, 429, { refusal: tooManyForms }),
	retryAfter,
});

function show(page: PurchaseFormData, status: RefusedStatus, change: Partial<PurchaseFormState>) {
	const suggestions = suggestEmails(page.values);
	return { ok: false as const, status, page: { ...page, ...noFindings, suggestions, ...change } };
}
