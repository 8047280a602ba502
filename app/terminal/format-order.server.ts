import { formatAddress, formatAddressLines } from "../addresses/address-lines.ts";
import { formatStamp } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { formatTimeLeft } from "../catalogue/urgency.ts";
import { documentNames } from "../documents/file-name.ts";
import { isRepostDue } from "../fulfilment/post-extract.server.ts";
import { getLetterAddress } from "../orders/letter-address.ts";
import { type FailureReason, isInProgress, statusLabels } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import type { OrderFile } from "../retention/order-file.server.ts";
import { describeEvent } from "../tracking/event-labels.ts";
import { formatSection } from "./columns.ts";

const formatOptionalStamp = (instant: Date | null) => (instant ? formatStamp(instant) : "");
const euros = (amount: number) => formatEuros(cents(amount));
const rowIf = (condition: unknown, row: readonly string[]) => (condition ? [row] : []);
/** A row with a value; no row without a value. */
const optionalRow = (label: string, value: string | null) => (value ? [[label, value]] : []);

/** Formats all data of an order as lines of text for the operator. */
export function formatOrder(file: OrderFile, now: Date): string {
	const { order, payments, refunds, invoices, documents, mails, refundRequests, withdrawal } = file;
	const isOneOfSeveral = file.lines.length > 1;
	return [
		formatSection(`Commande ${order.order_number}`, [
			...toOrderRows(order, now),
			...optionalRow("Référence du client", order.reference),
			...rowIf(isOneOfSeveral, ["Ligne", `${order.purchase_line} de ${file.lines.length}`]),
			...toRequestRows(file),
			...rowIf(isRepostDue(file.events), ["À poster de nouveau", "l’extrait remplacé attend son courrier : post"]),
		]),
		formatSection(`Commande groupée ${file.lines[0]?.order_number}`, isOneOfSeveral ? file.lines.map(toLineRow(order)) : []),
		formatSection("Client", toCustomerRows(order)),
		formatSection(
			"Historique",
			file.events.map(({ event_type, payload, created_at }) => [
				formatOptionalStamp(created_at),
				describeEvent(event_type, payload) ?? "E-mail parti", // the only event that customers do not see
				formatPayload(payload),
			]),
		),
		formatSection(
			"Sessions de paiement",
			file.sessions.map(({ id, status, created_at }) => [formatOptionalStamp(created_at), sessionLabels[status], id]),
		),
		formatSection(
			"Paiements",
			payments.map(({ id, role, amount_cents, created_at }) => [
				formatOptionalStamp(created_at),
				euros(amount_cents),
				role === "order" && isOneOfSeveral ? "règle la commande groupée" : paymentLabels[role],
				id,
			]),
		),
		formatSection(
			"Remboursements",
			refunds.map(({ amount_cents, reason, status, requested_at, settled_at, provider_id, held_until, released_by }) => [
				formatOptionalStamp(requested_at),
				euros(amount_cents),
				held_until && released_by === null && status === "requested" ? `retenu jusqu’au ${formatStamp(held_until)}` : refundLabels[status],
				formatOptionalStamp(settled_at),
				reason,
				provider_id ?? "",
			]),
		),
		formatSection(
			"Factures et avoirs",
			invoices.map(({ id, number, issued_at, total_cents, document_id, data }) => [
				formatOptionalStamp(issued_at),
				number,
				euros(total_cents),
				[
					invoices.some(({ replaces }) => replaces === id) ? "remplacée" : "",
					data.replacedBy ? "facture remplacée, rien n’est remboursé" : "",
					document_id ? "" : "PDF à faire",
				]
					.filter(Boolean)
					.join(", "),
			]),
		),
		formatSection(
			"Documents",
			documents.map(({ id, doc_type, issued_at, bytes, sha256, purged_at, replaced_at, replaced_because }) => [
				documentNames[doc_type] ?? doc_type,
				formatOptionalStamp(issued_at),
				`${bytes} octets`,
				id,
				sha256,
				[
					replaced_at ? `remplacé le ${formatOptionalStamp(replaced_at)} : ${replaced_because ?? "client effacé"}` : "",
					purged_at ? `supprimé le ${formatOptionalStamp(purged_at)}` : "",
				]
					.filter(Boolean)
					.join(" ; "),
			]),
		),
		formatSection(
			"E-mails",
			mails.map(({ kind, created_at, sent_at, bounced_at, bounce_reason }) => [
				formatOptionalStamp(created_at),
				kind,
				bounced_at
					? `refusé le ${formatOptionalStamp(bounced_at)} : ${bounce_reason ?? ""}`
					: sent_at
						? `parti le ${formatOptionalStamp(sent_at)}`
						: "en attente",
			]),
		),
		formatSection(
			"Demandes de remboursement",
			refundRequests.flatMap(({ created_at, message, decided_at, granted, answer }) => [
				[formatOptionalStamp(created_at), "", message],
				...rowIf(decided_at, [formatOptionalStamp(decided_at), granted ? "accordée" : "refusée", answer ?? ""]),
			]),
		),
		formatSection(
			"Rétractation",
			withdrawal ? [[formatOptionalStamp(withdrawal.declared_at), outcomeLabels[withdrawal.outcome], withdrawal.reason ?? ""]] : [],
		),
	]
		.filter((text) => text !== "")
		.join("\n\n");
}

/** A line of a purchase of several orders. */
const toLineRow =
	(order: Order) =>
	({ id, purchase_line, order_number, company_name, reference, status }: Order): string[] => [
		`${id === order.id ? "→ " : ""}${purchase_line}`,
		order_number,
		company_name,
		statusLabels[status],
		reference ?? "",
	];

function toOrderRows(order: Order, now: Date): (readonly string[])[] {
	const inProgress = isInProgress(order.status);
	const timeLeft = inProgress && order.promised_at ? ` (${formatTimeLeft(order.promised_at, now)})` : "";
	return [
		["Identifiant", order.id],
		["État", statusLabels[order.status] + (order.failure_reason ? ` : ${failureLabels[order.failure_reason]}` : "")],
		["Service", `${services[order.product_code].name}, ${formatEuros(order.price_cents)}`],
		["Société", `${order.company_name} (SIREN ${order.siren})`],
		["Passée le", formatOptionalStamp(order.created_at)],
		...rowIf(order.paid_at, ["Payée le", formatOptionalStamp(order.paid_at)]),
		...rowIf(order.promised_at, ["Promise pour", formatOptionalStamp(order.promised_at) + timeLeft]),
		...rowIf(order.late_at, ["En retard", `constaté le ${formatOptionalStamp(order.late_at)}`]),
		...rowIf(order.completed_at, ["Livrée le", formatOptionalStamp(order.completed_at)]),
		...optionalRow("N° de suivi", order.tracking_number),
		...rowIf(order.refunded_cents, ["Remboursé", euros(order.refunded_cents)]),
		...rowIf(order.set_aside_at, ["Mise de côté", formatOptionalStamp(order.set_aside_at)]),
		...rowIf(order.dispute_status, ["Contestation", disputeLabels[order.dispute_status ?? "open"]]),
		...rowIf(order.erased_at, ["Client effacé le", formatOptionalStamp(order.erased_at)]),
	];
}

function toRequestRows({ extractRequest }: OrderFile): (readonly string[])[] {
	if (extractRequest === null) return [];
	return [
		["À obtenir depuis", formatOptionalStamp(extractRequest.requested_at)],
		...rowIf(extractRequest.uploaded_at, ["Extrait déposé le", formatOptionalStamp(extractRequest.uploaded_at)]),
		...rowIf(extractRequest.not_found_at, ["Introuvable", formatOptionalStamp(extractRequest.not_found_at)]),
		...rowIf(extractRequest.posted_at, ["Posté le", formatOptionalStamp(extractRequest.posted_at)]),
	];
}

function toCustomerRows(order: Order): (readonly string[])[] {
	if (order.erased_at) return [];
	const { address, postal_code, city } = order;
	return [
		["Nom", `${order.first_name} ${order.last_name}`],
		["E-mail", order.customer_email],
		...optionalRow("Livraison à", order.delivery_email),
		...optionalRow("Téléphone", order.phone),
		...optionalRow("Société facturée", order.billing_company),
		...optionalRow("SIREN facturé", order.billing_siren),
		...optionalRow("TVA facturée", order.billing_vat),
		...rowIf(address, [
			isPosted(order.product_code) ? "Adresse facturée" : "Adresse",
			formatAddress({ street: address, postalCode: postal_code, city }),
		]),
		...(isPosted(order.product_code) ? toLabelRows(order) : []),
		[
			"Conditions acceptées",
			order.terms_accepted_at ? `${formatOptionalStamp(order.terms_accepted_at)} (${order.consent_text_version})` : "non",
		],
		["Rétractation", order.withdrawal_waived_at ? `renoncée le ${formatOptionalStamp(order.withdrawal_waived_at)}` : "droit gardé"],
		["Lettre d’information", order.newsletter ? "oui" : "non"],
	];
}

/** The lines of a letter's label, in the order in which they stand on it. */
function toLabelRows(order: Order): (readonly string[])[] {
	const { address, ...parts } = getLetterAddress(order);
	return formatAddressLines({ ...parts, street: address }).map((line, index) => [index === 0 ? "Poster à" : "", line]);
}

/** « amount=5900 reason=late » */
const formatPayload = (payload: object) =>
	Object.entries(payload)
		.map(([name, value]) => `${name}=${value}`)
		.join(" ");

const failureLabels: Record<FailureReason, string> = {
	expired: "paiement non reçu à temps",
	cancelled: "annulée par le client",
	"not-available": "aucun extrait pour cette société",
	"not-found": "introuvable au registre",
	operator: "arrêtée par la boutique",
};
const sessionLabels = { open: "ouverte", complete: "payée", expired: "expirée" } as const;
const paymentLabels = { order: "règle la commande", surplus: "en trop", mismatch: "ne correspond pas à la commande" } as const;
const refundLabels = { requested: "demandé", pending: "en cours", succeeded: "fait", failed: "échoué", refused: "refusé" } as const;
const disputeLabels = { open: "ouverte", won: "gagnée", lost: "perdue" } as const;
const outcomeLabels = { cancelled: "commande annulée", refunded: "remboursée", refused: "refusée" } as const;
