import { findExtractCost } from "../../books/files/record-extract-cost.server.ts";
import { formatDayAndHour, formatDayStamp, formatHour } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import { comparePromise } from "../../catalogue/time-left.ts";
import { formatAddress, formatAddressLines } from "../../companies/addresses/address-lines.ts";
import type { Company } from "../../companies/company.ts";
import { searchCompanies } from "../../companies/search/search-companies.server.ts";
import { isLetterAwaited } from "../../customer/tracking/addresses/correct-letter.server.ts";
import { toLetterValues } from "../../customer/tracking/addresses/letter-sentences.ts";
import { listThread, type Thread } from "../../emails/messages/thread.server.ts";
import { findOrderedCompany, isSoleTrader } from "../../emails/name-document.server.ts";
import type { Claim } from "../../fulfilment/claims/claim.ts";
import { findHolder } from "../../fulfilment/claims/claim-order.server.ts";
import { isOrderBlocked } from "../../fulfilment/claims/to-serve.server.ts";
import { type Draft, listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { isDrawable, listRightOrders } from "../../fulfilment/drafts/insert-draft.server.ts";
import { checkRequest } from "../../fulfilment/record-request.server.ts";
import { getLetterAddress } from "../../orders/letter-address.ts";
import { isInProgress, statusLabels } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { findRecipient } from "../../orders/recipient.ts";
import type { Shop } from "../../shop.ts";
import { labelAct } from "../acts/act-table.server.ts";
import { listOpenActs, type RequestedAct } from "../log/acts.store.server.ts";
import { listDeskLog } from "../log/desk-log.store.server.ts";
import { kindLabels } from "../messages/kind-labels.ts";
import { describeTimeToAnswer } from "../messages/time-to-answer.ts";
import { listOperators } from "../operators/operators.store.server.ts";
import type { Actor } from "../operators/roles.ts";
import { describeLinePlace } from "../purchase/describe-line-place.ts";
import { readOrderFile } from "../retention/order-file.server.ts";
import { listActiveShares } from "../sharing/list-active-shares.server.ts";
import { describeFacts, formatBytes } from "./describe-draft.ts";
import { describeDocuments, describeTimeline, listResendable } from "./describe-file.server.ts";
import { listOtherOrders } from "./other-orders.store.server.ts";

export type OrderView = Awaited<ReturnType<typeof readOrder>>;

/** Lines of the trail on the page of an order. */
const maxTrailLines = 100;
const maxNamesakes = 4;
/** Messages of a conversation on the page of an order, each with so many characters. */
const maxMessages = 4;
const maxMessageLength = 600;

/** Milliseconds for which the page shows that a scheduled act was refused. */
const refusalMs = 900_000;

/** Reads all that the page of an order shows. */
export async function readOrder(shop: Shop, actor: Actor, order: Order) {
	const { db, now } = shop;
	const file = await readOrderFile(db, order);
	const company = await findOrderedCompany(db, order);
	const drafts = await listDrafts(db, order.id);
	const own = drafts.find(({ operator }) => operator === actor.id);
	const others = drafts.filter(({ operator }) => operator !== actor.id);
	const names = new Map(others.length > 0 ? (await listOperators(db)).map(({ id, name }) => [id, name]) : []);
	const open = isInProgress(order.status);
	const hasExtract = file.documents.some(({ doc_type, replaced_at }) => doc_type === "kbis" && replaced_at === null);
	const uploaded = Boolean(file.extractRequest?.storage_path);
	return {
		id: order.id,
		number: order.order_number,
		status: order.status,
		statusLabel: statusLabels[order.status],
		open,
		service: services[order.product_code].name,
		price: formatEuros(order.price_cents),
		/** The customer’s own name of the order, such as « dossier 2026-114 ». */
		reference: order.reference,
		purchase: describeLinePlace(file.lines, order),
		/** Whether a specimen may be dropped. */
		demo: !shop.environment.production,
		posted: isPosted(order.product_code),
		promise: order.promised_at && { at: order.promised_at.toISOString(), text: formatDayAndHour(order.promised_at) },
		/** « 47 minutes avant l’heure promise », once it is delivered. */
		kept: describeKept(order),
		now: now().toISOString(),
		facts: describeOrderFacts(order),
		/** What an operator may still do. */
		may: {
			deliver: open && !uploaded && !hasExtract && file.extractRequest?.not_found_at === null,
			recordRequest: (await checkRequest(db, order)) === null,
			replace: hasExtract && order.erased_at === null && order.status !== "failed",
			/** It still waits for somebody: for its extract, or for the post. */
			claim:
				open &&
				!isOrderBlocked(order) &&
				(isPosted(order.product_code) ? !file.extractRequest?.tracking_number : !uploaded && !hasExtract) &&
				file.extractRequest?.not_found_at == null,
			correctTracking: order.tracking_number !== null && order.erased_at === null,
			write: order.erased_at === null && order.status !== "pending",
			refund: actor.roles.has("refund") && order.status !== "pending",
		},
		requested: order.extract_requested_at && formatDayStamp(order.extract_requested_at),
		state: describeState({ open, uploaded, hasExtract, notFound: Boolean(file.extractRequest?.not_found_at) }),
		company: describeCompany(order, company),
		holder: describeHolder(open ? await findHolder(db, order.id, now()) : null, actor),
		namesakes: open && !uploaded ? await listNamesakes(shop, order) : [],
		customer: describeCustomer(order),
		/** Where its letter goes, until it is posted. */
		letterTo: isLetterAwaited(order) ? toLetterValues(getLetterAddress(order)) : null,
		draft: own ? await describeDraft(shop, order, own) : null,
		otherDrafts: others.map(({ operator, dropped_at }) => ({ who: names.get(operator) ?? "Quelqu’un", at: formatDayStamp(dropped_at) })),
		openActs: (await listOpenActs(db, order.id, new Date(now().getTime() - refusalMs))).map((requested) => describeAct(requested)),
		timeline: describeTimeline(file, await listDeskLog(db, maxTrailLines, { subject: order.order_number })),
		documents: describeDocuments(file),
		/** The version of the terms under which it was placed; null before the versions were kept. */
		termsVersion: order.terms_sha256,
		resendable: listResendable(file),
		shares: await listActiveShares(shop, order.id),
		extractCost: await describeExtractCost(shop, order),
		conversations: (await listThread(db, order)).map((thread) => describeConversation(thread, now())),
		otherOrders: (await listOtherOrders(db, order)).map(
			({ id, order_number, company_name, status, created_at, product_code, sameCustomer }) => ({
				id,
				number: order_number,
				text: `${company_name}, ${services[product_code].name}, ${statusLabels[status].toLowerCase()}, le ${formatDayStamp(created_at)}`,
				sameCustomer,
			}),
		),
	};
}

/** An extract that was ready in time is not late, even if its e-mail was (docs/rules.md, R24). */
const describeKept = ({ promised_at, completed_at, late_at }: Order) =>
	promised_at && completed_at && (late_at || completed_at <= promised_at) ? comparePromise(completed_at, promised_at) : null;

/** What the greffe charged for the extracts of an order, as recorded; without a record, the official price counts. */
async function describeExtractCost({ db, environment }: Shop, { order_number }: Order) {
	const recorded = await findExtractCost(db, order_number);
	return { recorded: recorded === null ? null : formatEuros(recorded), official: formatEuros(cents(environment.officialPrice.cents)) };
}

/** A conversation with its latest messages; the page of the conversation has all of them. */
function describeConversation({ id, subject, kind, waitingSince, messages }: Thread, now: Date) {
	const shown = messages.slice(-maxMessages);
	return {
		id,
		subject,
		kind: kindLabels[kind],
		wait: waitingSince && describeTimeToAnswer(waitingSince, now),
		earlier: messages.length - shown.length,
		messages: shown.map(({ id: message, from, author, text, at }) => ({
			id: message,
			author: from === "shop" ? `La boutique${author && ` (${author})`}` : author,
			at: formatDayStamp(at),
			text: text.length > maxMessageLength ? `${text.slice(0, maxMessageLength).toWellFormed()}…` : text,
		})),
	};
}

const describeAct = ({ key, act, due_at, operator_name, needs_approval, approved_by, ended_at, sentence }: RequestedAct) => ({
	key,
	act,
	label: labelAct(act),
	dueAt: due_at?.toISOString() ?? null,
	who: operator_name,
	waitsForApproval: needs_approval && approved_by === null,
	/** Why it was refused when it began. */
	refusal: ended_at === null ? null : (sentence ?? ""),
});

const describeHolder = (claim: Claim | null, { id }: { id: string }) =>
	claim && { name: claim.operatorName, isMe: claim.operatorId === id, until: formatHour(claim.expiresAt) };

function describeState({
	open,
	uploaded,
	hasExtract,
	notFound,
}: {
	open: boolean;
	uploaded: boolean;
	hasExtract: boolean;
	notFound: boolean;
}) {
	if (!open) return null;
	if (notFound) return "L’extrait est signalé introuvable\u00a0: le remboursement part.";
	if (hasExtract) return "L’extrait est prêt. Il part au client.";
	return uploaded ? "L’extrait est déposé. Il part au client." : null;
}

function describeOrderFacts(order: Order): [string, string][] {
	const rows: [string, string | null][] = [
		["Payée le", order.paid_at && formatDayStamp(order.paid_at)],
		["Livrée le", order.completed_at && formatDayStamp(order.completed_at)],
		["En retard", order.late_at && `constaté le ${formatDayStamp(order.late_at)}`],
		["Remboursé", order.refunded_cents > 0 ? formatEuros(cents(order.refunded_cents)) : null],
		["Numéro de suivi", order.tracking_number],
		["Contestation", order.disputed_at && `depuis le ${formatDayStamp(order.disputed_at)}`],
		["Mise de côté", order.set_aside_at && formatDayStamp(order.set_aside_at)],
		["Client effacé le", order.erased_at && formatDayStamp(order.erased_at)],
	];
	return rows.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
}

function describeCompany({ siren, company_name }: Order, company: Company | null) {
	return {
		siren,
		name: company_name,
		/** The name in the register, when the order has another one. */
		registeredName: company?.name && company.name !== company_name ? company.name : null,
		known: company !== null,
		legalForm: company?.legalFormInFull ?? company?.legalForm ?? null,
		headOffice: company?.headOffice ? formatAddress(company.headOffice) : null,
		greffe: company?.greffe ?? null,
		registeredOn: company?.registrationDate ?? null,
		status: company?.status ?? null,
		documentName: isSoleTrader(company) ? "extrait K" : "extrait Kbis",
		notices: company?.notices ?? [],
	};
}

/** Other companies of the same name, for a customer who ordered the wrong one. */
async function listNamesakes({ db }: Shop, order: Order) {
	const search = { query: order.company_name, departement: null, formes: [], secteur: null, page: 1 };
	const { results, corrected, dropped } = await searchCompanies(db, search);
	if (corrected !== null || dropped !== null) return [];
	return results
		.filter(
			({ siren, eligibility, status, name }) => siren !== order.siren && eligibility !== "none" && status === "active" && name !== null,
		)
		.slice(0, maxNamesakes)
		.map(({ siren, name, city }) => ({ siren, name: name ?? "", city }));
}

function describeCustomer(order: Order) {
	if (order.erased_at !== null) return null;
	const { address, ...letter } = getLetterAddress(order);
	return {
		name: `${order.first_name} ${order.last_name}`,
		email: order.customer_email,
		recipient: findRecipient(order),
		phone: order.phone,
		billed: order.billing_company,
		letter: isPosted(order.product_code) ? formatAddressLines({ ...letter, street: address }) : null,
		address: order.address && formatAddress({ street: order.address, postalCode: order.postal_code, city: order.city }),
	};
}

async function describeDraft({ db, now }: Shop, order: Order, draft: Draft) {
	return {
		id: draft.id,
		fileName: draft.file_name,
		size: formatBytes(draft.bytes),
		droppedAt: formatDayStamp(draft.dropped_at),
		pages: draft.facts.pages,
		drawable: isDrawable(draft.facts),
		...describeFacts(draft.facts, { siren: order.siren, now: now(), takesPictures: isPosted(order.product_code) }),
		rightOrders: (await listRightOrders(db, order, draft.facts)).map(({ id, order_number, company_name, promised_at }) => ({
			id,
			number: order_number,
			text: `${company_name}${promised_at ? `, promise ${formatDayAndHour(promised_at)}` : ""}`,
		})),
	};
}
