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
import { type OrderForm, recogniseBrowser, type StoreOutcome, storeForm } from "../order-form/order-forms.server.ts";
import { checkPurchaseValues, clearUnusedOfPurchase } from "../order-form/purchase-values.ts";
import { describeRefusal } from "../shop-settings/sales-sentences.ts";
import { describeTooMany } from "./answer-list.server.ts";
import { toSentLines } from "./check-lines.server.ts";
import { isOrderable, isOrdered } from "./checked-line.ts";
import { askForService, describeNothingOrdered, describeOtherService } from "./line-sentences.ts";
import { describePurchaseForm, type PurchaseFormData, type PurchaseShop } from "./purchase-form-data.server.ts";
import { readPurchaseForm, shownField } from "./read-purchase-form.ts";
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
	/** The form is stored under this token; `sent`: it goes to the payment. `headers`: the cookies of its browser. */
	| { ok: true; token: string; sent: boolean; headers: Headers }
	/** `retryAfter`: seconds, after too many changes. */
	| { ok: false; status: RefusedStatus; page: PurchaseFormData & PurchaseFormState; headers?: Headers; retryAfter?: number };

/** What the answer to a form says of its storage; null: nothing is stored. */
type Stored = StoreOutcome | null;

/**
 * Handles the form of several orders, whose page is not hydrated: its buttons change the list, search for the company of the invoice, or go on
 * to the payment. Whatever it answers, what was typed is stored, where its browser finds it again (docs/rules.md, R215), and is on the page otherwise. Nothing
 * goes to the payment that the page had not shown.
 */
export async function answerPurchaseForm(
	shop: PurchaseShop & Runtime,
	form: FormData,
	{ request, token, client }: { request: Request; token: string | null; client: string },
): Promise<PurchaseFormAnswer> {
	const { isOwn, isKnown } = recogniseBrowser(shop, request, token);
	const [intent = "", subject = ""] = String(form.get("intent") ?? "").split(":");
	const { added, ...read } = readPurchaseForm(form);
	read.values = correctEmail(read.values, form.get(correctionField));
	const listed = removeLine(read, intent === "remove" ? Number(subject) : 0);
	const typed = { ...listed, lines: [...listed.lines, ...added] };
	if (typed.lines.length > maxLines) {
		const errors = { lines: describeTooMany(typed.lines.length) };
		return show(await describePurchaseForm(shop, listed), 400, { errors, added: String(form.get("entreprises")) });
	}
	const store = (content: OrderForm) => storeForm(shop, content, { request, token, client });
	// without cookies, the page behind the link of the form would not show what was typed
	if ((intent === "update" || intent === "remove") && isKnown) return toAnswer(shop, typed, await store(typed));
	if (intent !== "") {
		const { values = typed.values, billingFound = null } = await answerButton(shop, form, { values: typed.values, intent, subject });
		const changed = { ...typed, values };
		const page = await describePurchaseForm(shop, changed);
		return show(page, 200, { billingFound }, isOwn ? await store(changed) : null);
	}
	return submit(shop, form, typed, { store, isOwn });
}

async function submit(
	shop: PurchaseShop & Runtime,
	form: FormData,
	typed: OrderForm,
	{ store, isOwn }: { store: (content: OrderForm) => Promise<StoreOutcome>; isOwn: boolean },
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
	const stored = isSent || isOwn ? await store({ values: isSent ? used : page.values, lines }) : null;
	if (isSent && stored?.ok) return { ...stored, sent: true };
	if (isValid && closedSentence) return show(page, 409, { refusal: closedSentence }, stored);
	return show(page, isValid ? 200 : 400, { errors, doubtful, unseen }, stored);
}

function removeLine({ values, lines }: OrderForm, place: number): OrderForm {
	return { values, lines: lines.filter((_, index) => index + 1 !== place) };
}

async function toAnswer(shop: PurchaseShop, typed: OrderForm, stored: StoreOutcome): Promise<PurchaseFormAnswer> {
	return stored.ok ? { ...stored, sent: false } : show(await describePurchaseForm(shop, typed), 200, {}, stored);
}

/** Shows the form again; after too many changes, only that. */
function show(
	page: PurchaseFormData,
	status: RefusedStatus,
	change: Partial<PurchaseFormState>,
	stored: Stored = null,
): PurchaseFormAnswer {
	const shown = { ...page, ...noFindings, suggestions: suggestEmails(page.values) };
	if (stored?.ok === false) return { ok: false, status: 429, page: { ...shown, refusal: tooManyForms }, retryAfter: stored.retryAfter };
	return { ok: false, status, page: { ...shown, ...change }, ...(stored && { headers: stored.headers }) };
}
