import { href } from "react-router";
import type { Runtime } from "../../../server/runtime.ts";
import { offerLines } from "../../catalogue/offers.ts";
import { parseServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { describeRefusal, describeTooLate } from "../../catalogue/settings/sales-sentences.ts";
import { type CompanyPreview, getOrderable } from "../../companies/company.ts";
import { noExtractRefusal, unknownCompany } from "../../companies/company-notices.ts";
import { parseSiren } from "../../companies/siren.ts";
import { describeForm, type FormPageData, type FormShop } from "./describe-form.server.ts";
import { correctionField } from "./email-correction.ts";
import {
	answerButton,
	type CompanySearchResult,
	correctEmail,
	findDoubtfulEmail,
	suggestEmails,
	tooManyForms,
} from "./form-buttons.server.ts";
import { getListUrl, toFormLine } from "./form-line.ts";
import { type FormPage, type FormState, noFindings } from "./form-state.ts";
import { checkFormValues, clearUnusedValues } from "./form-values.ts";
import { describeTooMany, listTooLong } from "./lines/answer-list.server.ts";
import { toSentLines } from "./lines/check-lines.server.ts";
import { type CheckedLine, isOrderable, isOrdered } from "./lines/checked-line.ts";
import { lineFields, maxLines, shownField } from "./lines/line-fields.ts";
import { askForService, describeNothingOrdered, describeOtherService, describeProblem, describeUnseen } from "./lines/line-sentences.ts";
import { findUnseen } from "./lines/shown-lines.server.ts";
import { toTypedLine } from "./lines/typed-lines.ts";
import { type BillTo, checkField, type OrderValues } from "./order-form.ts";
import { type OrderForm, recogniseBrowser, type StoreOutcome, storeForm } from "./order-forms.server.ts";
import { pdfIntent, pdfService } from "./pdf-line.ts";
import { isListForm, readListForm } from "./read-form.server.ts";
import { checkRead, readValues } from "./read-values.server.ts";
import { summariseErrors } from "./summarise-errors.ts";

/** 409: the shop is closed. */
type RefusedStatus = 200 | 400 | 409 | 429;

export type FormAnswer =
	/** The form is stored. `url`: of its payment, or of the form itself. `headers`: the cookies of its browser. */
	| { ok: true; url: string; headers: Headers }
	/** `retryAfter`: seconds, after too many changes. */
	| { ok: false; status: RefusedStatus; page: FormPage; headers?: Headers; retryAfter?: number };

/** What the answer to a form says of its storage; null: nothing is stored. */
type Stored = StoreOutcome | null;

interface FormRequest {
	request: Request;
	/** Of the stored form in the page's URL. */
	token: string | null;
	/** The client's key. */
	client: string;
	/** The company in the page's URL. */
	siren?: string | undefined;
}

/**
 * Handles the order form, of one extract or with a list. Its buttons change the list, search for a company, correct an address, or go on to
 * the payment. Whatever it answers to a list, what was typed is stored, where its browser finds it again (docs/rules.md, R215), and is on
 * the page otherwise. Nothing goes to the payment that the page had not shown.
 */
export async function answerForm(shop: FormShop & Runtime, form: FormData, source: FormRequest): Promise<FormAnswer> {
	const { request, token, client } = source;
	const { isOwn, isKnown } = recogniseBrowser(shop, request, token);
	const [pressed = "", subject = ""] = String(form.get("intent") ?? "").split(":");
	const hasList = isListForm(form);
	const { added, leftOut, ...read } = hasList ? readListForm(form) : { ...readOnlyLine(form, source.siren), added: [], leftOut: [] };
	const values = correctEmail(read.values, form.get(correctionField));
	const unsearched = isUnsearched(form, values, pressed);
	const intent = unsearched ? "find-billing-company" : pressed;
	const describe = (content: OrderForm) => describeForm(shop, content, { hasList, tellsNotices: hasList || source.siren !== undefined });
	const listed = { values, lines: read.lines.filter((_, index) => intent !== "remove" || index + 1 !== Number(subject)) };
	const typed = { values, lines: [...listed.lines, ...(added ?? [])], leftOut };
	if (added === null || typed.lines.length > maxLines) {
		const errors = { lines: added === null ? listTooLong : describeTooMany(typed.lines.length) };
		return show(await describe(listed), 400, { errors, added: String(form.get("entreprises")) });
	}
	const store = (content: OrderForm) => storeForm(shop, content, { request, token, client });
	/** The button that was pressed says where its page starts. */
	const showStored = async (content: OrderForm, anchor = ""): Promise<FormAnswer> => {
		const stored = await store(content);
		if (!stored.ok) return show(await describe(typed), 200, {}, stored);
		return { ok: true, url: getListUrl(stored.token) + anchor, headers: stored.headers };
	};
	if (intent === "several") return showStored(startList(typed), "#entreprises");
	if (intent === pdfIntent) return showStored(addPdf(startList(typed)), "#ligne-2");
	// without cookies, the page behind the link of the form would not show what was typed
	if ((intent === "remove" || intent === "update") && isKnown) return showStored(typed);
	if (intent !== "") {
		const { found = null, billingFound = null, ...change } = await answerButton(shop, form, { content: typed, intent, subject });
		const changed = { ...typed, ...change };
		const stored = isOwn && hasList ? await store(changed) : null;
		const errors = unsearched ? { company: describeUnsearched(billingFound) } : {};
		return show(await describe(changed), unsearched ? 400 : 200, { found, billingFound, errors }, stored);
	}
	return submit(shop, form, await describe(typed), { store, keeps: isOwn && hasList });
}

/**
 * Whether the company of the invoice was only typed into its search (docs/rules.md, R198). Enter presses the button of the form or, in a
 * list, « Mettre à jour »: without JavaScript both search for it.
 */
const isUnsearched = (form: FormData, values: OrderValues, pressed: string): boolean =>
	["", "update"].includes(pressed) &&
	values.billTo === ("other" satisfies BillTo) &&
	values.company === "" &&
	String(form.get("billingQuery") ?? "").trim() !== "";

/** @param found null: a single company, which is filled in. */
function describeUnsearched(found: CompanySearchResult | null): string {
	if (found === null) return "Vérifiez la société trouvée pour la facture, puis continuez.";
	if (found.companies.length > 0) return "Choisissez la société à facturer parmi celles que nous avons trouvées.";
	return "Aucune société trouvée\u00a0: écrivez son nom dans ce champ, ou effacez la recherche.";
}

/** The form of one extract names its company by the page's URL or by a field. Its line has a reference before it has a company. */
function readOnlyLine(form: FormData, given: string | undefined): OrderForm {
	const values = readValues(form);
	if (given !== undefined) values.siren = given;
	const reference = String(form.get(lineFields(1).reference) ?? "");
	return { values, lines: [toFormLine(toTypedLine(parseSiren(values.siren) ?? "", reference))] };
}

/**
 * « Ajouter une autre entreprise »: the company becomes the first line, keeps its service and stays the one that is invoiced. The lines
 * after it have none by default (docs/rules.md, R133).
 */
function startList({ values, lines }: OrderForm): OrderForm {
	const service = parseServiceCode(values.service) ?? "";
	const chosen = lines.filter(({ company }) => company !== "");
	const ownCompany = values.billTo === "ordered" ? (chosen[0]?.company ?? "") : "";
	return { values: { ...values, siren: "", service: "", ownCompany }, lines: chosen.map((line) => ({ ...line, service })) };
}

/** « Recevoir aussi le PDF »: the company of the letter becomes a second line (docs/rules.md, R245). */
const addPdf = ({ values, lines }: OrderForm): OrderForm => ({
	values,
	lines: lines.flatMap((line) => [line, { ...line, service: pdfService }]),
});

async function submit(
	shop: FormShop & Runtime,
	form: FormData,
	page: FormPageData,
	{ store, keeps }: { store: (content: OrderForm) => Promise<StoreOutcome>; keeps: boolean },
): Promise<FormAnswer> {
	const ordered = page.lines.filter(isOrderable);
	const errors: FormState["errors"] = {
		...(page.hasList ? checkList(page.lines) : checkOnlyLine(page.values, page.lines[0])),
		...checkRead(page.values),
		...checkFormValues(page.values, ordered),
	};
	const sales = await shop.readSales();
	const withService = ordered.filter(isOrdered);
	const closed = withService.filter(({ service }) => service in sales.closed);
	const [first] = closed;
	const now = shop.now();
	const wanted = withService.map(({ service }) => service);
	const closedSentence = first
		? describeRefusal(first.service, { ...sales, now })
		: describeTooLate(wanted, offerLines(wanted, now, sales));
	const isAllClosed = serviceCodes.every((code) => code in sales.closed);
	if (first && !isAllClosed) {
		const field = first.line.service === "" ? "service" : (`ligne-${first.place}` as const);
		errors[field] = `${closedSentence} ${describeOtherService(closed, first)}`;
	}
	const used = clearUnusedValues(page.values, ordered);
	const isValid = Object.keys(errors).length === 0;
	// of a form with errors, neither answer would go on
	const doubtful = isValid ? findDoubtfulEmail(used, form.getAll("checkedEmail")) : null;
	const unseen = page.hasList ? findUnseen(page.lines, String(form.get(shownField))) : [];
	const isSent = isValid && closedSentence === null && doubtful === null && unseen.length === 0 && page.leftOut.length === 0;
	const lines = isSent ? toSentLines(page.lines) : page.lines.map(({ line }) => line);
	const stored = isSent || keeps ? await store({ values: isSent ? used : page.values, lines }) : null;
	if (isSent && stored?.ok) return { ok: true, url: `${href("/paiement")}?commande=${stored.token}`, headers: stored.headers };
	if (isValid && closedSentence) return show(page, 409, { refusal: closedSentence }, stored);
	const messages = [...describeUnseen(unseen), ...page.messages];
	const services = page.lines.map(({ service }) => service);
	const found = { errors, summary: summariseErrors(errors, services), doubtful, unseen };
	return show({ ...page, messages }, isValid ? 200 : 400, found, stored);
}

/** @returns why a list orders nothing, or which lines have no service. */
function checkList(lines: readonly CheckedLine[]): FormState["errors"] {
	const ordered = lines.filter(isOrderable);
	if (ordered.length === 0) return { lines: describeNothingOrdered(lines.length) };
	const withoutService = ordered.filter(({ service }) => service === null).map(({ place }) => place);
	return withoutService.length > 0 ? { service: askForService(withoutService, ordered.length) } : {};
}

/** @returns what is wrong with company, service and reference of one extract. */
function checkOnlyLine(values: OrderValues, line: CheckedLine | undefined): FormState["errors"] {
	const errors: FormState["errors"] = {};
	if (line?.problem?.code === "long-reference") errors[`reference-${line.place}`] = describeProblem(line.problem);
	const service = checkField("service", values.service);
	if (service) errors.service = service;
	const siren = checkField("siren", values.siren) ?? describeUnorderable(line?.company ?? null);
	if (siren) errors.siren = siren;
	return errors;
}

function describeUnorderable(company: CompanyPreview | null): string | undefined {
	if (company === null) return unknownCompany;
	return getOrderable(company) ? undefined : noExtractRefusal;
}

/** Shows the form again; after too many changes, only that. */
function show(page: FormPageData, status: RefusedStatus, change: Partial<FormState>, stored: Stored = null): FormAnswer {
	const shown = { ...page, ...noFindings, suggestions: suggestEmails(page.values) };
	if (stored?.ok === false) return { ok: false, status: 429, page: { ...shown, refusal: tooManyForms }, retryAfter: stored.retryAfter };
	return { ok: false, status, page: { ...shown, ...change }, ...(stored && { headers: stored.headers }) };
}
