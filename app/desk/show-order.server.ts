import { formatStamp } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { documentNames } from "../documents/document-names.ts";
import { isRepostDue } from "../fulfilment/post-extract.server.ts";
import { type FailureReason, isInProgress, statusLabels } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import type { OrderFile } from "../retention/order-file.server.ts";
import { describeEvent } from "../tracking/event-labels.ts";
import { section } from "./columns.ts";
import { formatTimeLeft } from "./time-left.ts";

const stamp = (instant: Date | null) => (instant ? formatStamp(instant) : "");
const euros = (amount: number) => formatEuros(cents(amount));
const when = (holds: unknown, row: readonly string[]) => (holds ? [row] : []);
/** A row with its value, or none where there is none. */
const given = (label: string, value: string | null) => (value ? [[label, value]] : []);

/** All that is known of an order, as lines of text for the operator. */
export function showOrder(file: OrderFile, now: Date): string {
	const { order, payments, refunds, invoices, documents, mails, refundRequests, withdrawal } = file;
	return [
		section(`Commande ${order.order_number}`, [
			...describeOrderLines(order, now),
			...deskOf(file),
			...when(isRepostDue(file.events), ["À poster de nouveau", "l’extrait remplacé attend son courrier : post"]),
		]),
		section("Client", customerOf(order)),
		section(
			"Historique",
			file.events.map(({ event_type, payload, created_at }) => [
				stamp(created_at),
				describeEvent(event_type, payload) ?? "E-mail parti", // the only event that customers do not see
				formatPayload(payload),
			]),
		),
		section(
			"Sessions de paiement",
			file.sessions.map(({ id, status, created_at }) => [stamp(created_at), sessionStates[status], id]),
		),
		section(
			"Paiements",
			payments.map(({ id, role, amount_cents, created_at }) => [stamp(created_at), euros(amount_cents), paymentRoles[role], id]),
		),
		section(
			"Remboursements",
			refunds.map(({ amount_cents, reason, status, requested_at, settled_at, provider_id }) => [
				stamp(requested_at),
				euros(amount_cents),
				refundStates[status],
				stamp(settled_at),
				reason,
				provider_id ?? "",
			]),
		),
		section(
			"Factures et avoirs",
			invoices.map(({ number, issued_at, total_cents, document_id }) => [
				stamp(issued_at),
				number,
				euros(total_cents),
				document_id ? "" : "PDF à faire",
			]),
		),
		section(
			"Documents",
			documents.map(({ id, doc_type, issued_at, bytes, sha256, purged_at, replaced_at, replaced_because }) => [
				documentNames[doc_type] ?? doc_type,
				stamp(issued_at),
				`${bytes} octets`,
				id,
				sha256,
				[
					replaced_at ? `remplacé le ${stamp(replaced_at)} : ${replaced_because ?? "client effacé"}` : "",
					purged_at ? `supprimé le ${stamp(purged_at)}` : "",
				]
					.filter(Boolean)
					.join(" ; "),
			]),
		),
		section(
			"E-mails",
			mails.map(({ kind, created_at, sent_at, bounced_at, bounce_reason }) => [
				stamp(created_at),
				kind,
				bounced_at ? `refusé le ${stamp(bounced_at)} : ${bounce_reason ?? ""}` : sent_at ? `parti le ${stamp(sent_at)}` : "en attente",
			]),
		),
		section(
			"Demandes de remboursement",
			refundRequests.flatMap(({ created_at, message, decided_at, granted, answer }) => [
				[stamp(created_at), "", message],
				...when(decided_at, [stamp(decided_at), granted ? "accordée" : "refusée", answer ?? ""]),
			]),
		),
		section("Rétractation", withdrawal ? [[stamp(withdrawal.declared_at), outcomes[withdrawal.outcome], withdrawal.reason ?? ""]] : []),
	]
		.filter((text) => text !== "")
		.join("\n\n");
}

function describeOrderLines(order: Order, now: Date): (readonly string[])[] {
	const open = isInProgress(order.status);
	const left = open && order.promised_at ? ` (${formatTimeLeft(order.promised_at, now)})` : "";
	return [
		["Identifiant", order.id],
		["État", statusLabels[order.status] + (order.failure_reason ? ` : ${failures[order.failure_reason]}` : "")],
		["Service", `${services[order.product_code].name}, ${formatEuros(order.price_cents)}`],
		["Société", `${order.company_name} (SIREN ${order.siren})`],
		["Passée le", stamp(order.created_at)],
		...when(order.paid_at, ["Payée le", stamp(order.paid_at)]),
		...when(order.promised_at, ["Promise pour", stamp(order.promised_at) + left]),
		...when(order.late_at, ["En retard", `constaté le ${stamp(order.late_at)}`]),
		...when(order.completed_at, ["Livrée le", stamp(order.completed_at)]),
		...given("N° de suivi", order.tracking_number),
		...when(order.refunded_cents, ["Remboursé", euros(order.refunded_cents)]),
		...when(order.set_aside_at, ["Mise de côté", stamp(order.set_aside_at)]),
		...when(order.dispute_status, ["Contestation", disputes[order.dispute_status ?? "open"]]),
		...when(order.erased_at, ["Client effacé le", stamp(order.erased_at)]),
	];
}

function deskOf({ onDesk }: OrderFile): (readonly string[])[] {
	if (onDesk === null) return [];
	return [
		["À obtenir depuis", stamp(onDesk.requested_at)],
		...when(onDesk.uploaded_at, ["Extrait déposé le", stamp(onDesk.uploaded_at)]),
		...when(onDesk.not_found_at, ["Introuvable", stamp(onDesk.not_found_at)]),
		...when(onDesk.posted_at, ["Posté le", stamp(onDesk.posted_at)]),
	];
}

function customerOf(order: Order): (readonly string[])[] {
	if (order.erased_at) return [];
	const { address, postal_code, city } = order;
	return [
		["Nom", `${order.first_name} ${order.last_name}`],
		["E-mail", order.customer_email],
		...given("Livraison à", order.delivery_email),
		...given("Téléphone", order.phone),
		...given("Société facturée", order.billing_company),
		...when(address, ["Adresse", [address, [postal_code, city].filter(Boolean).join(" ")].filter(Boolean).join(", ")]),
		["Conditions acceptées", order.terms_accepted_at ? `${stamp(order.terms_accepted_at)} (${order.consent_text_version})` : "non"],
		["Rétractation", order.withdrawal_waived_at ? `renoncée le ${stamp(order.withdrawal_waived_at)}` : "droit gardé"],
		["Lettre d’information", order.newsletter ? "oui" : "non"],
	];
}

/** « amount=5900 reason=late » */
const formatPayload = (payload: object) =>
	Object.entries(payload)
		.map(([name, value]) => `${name}=${value}`)
		.join(" ");

const failures: Record<FailureReason, string> = {
	expired: "paiement non reçu à temps",
	cancelled: "annulée par le client",
	"not-available": "aucun extrait pour cette société",
	"not-found": "introuvable au registre",
	operator: "arrêtée par la boutique",
};
const sessionStates = { open: "ouverte", complete: "payée", expired: "expirée" } as const;
const paymentRoles = { order: "règle la commande", surplus: "en trop", mismatch: "ne correspond pas à la commande" } as const;
const refundStates = { requested: "demandé", pending: "en cours", succeeded: "fait", failed: "échoué", refused: "refusé" } as const;
const disputes = { open: "ouverte", won: "gagnée", lost: "perdue" } as const;
const outcomes = { cancelled: "commande annulée", refunded: "remboursée", refused: "refusée" } as const;
