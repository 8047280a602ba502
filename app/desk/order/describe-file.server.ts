import { isKeyOf } from "../../../server/types/objects.ts";
import { formatDayStamp } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { describeEvent } from "../../customer/tracking/event-labels.ts";
import { getOrderEmail } from "../../emails/order-emails.server.ts";
import { documentNames } from "../../orders/documents/file-name.ts";
import type { EventType } from "../../orders/lifecycle.ts";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import type { DeskLogEntry } from "../log/desk-log.store.server.ts";
import { refundReasons } from "../money/money-labels.ts";
import type { OrderFile } from "../retention/order-file.server.ts";
import { describeVerb } from "../trail/describe-run.server.ts";
import { formatBytes } from "./describe-draft.ts";
import { notFoundReasonLabels } from "./serving-sentences.ts";

/** One line of the timeline. */
export interface TimelineLine {
	id: string;
	/** ISO 8601. */
	at: string;
	/** « 21/11/2026 à 10 h 05 » */
	stamp: string;
	kind: "event" | "mail" | "payment" | "note" | "trail" | "request";
	text: string;
	/** Who did it, and details. */
	details: string[];
	/** The id of an e-mail that can be read. */
	email?: string;
}

const confirmedLabels: Record<string, string> = {
	old: "extrait de plus d’un jour",
	unreadable: "texte illisible",
	company: "doute sur l’entreprise",
	issuedAt: "date saisie",
};

/** Events that another line of the timeline says better. */
const hiddenEvents: readonly EventType[] = ["mail_sent", "paid", "refunded"];

const refundStates = { requested: "demandé", pending: "en cours", succeeded: "fait", failed: "échoué", refused: "refusé" } as const;
const paymentRoles = { order: "Paiement reçu", surplus: "Second paiement reçu", mismatch: "Paiement d’un autre montant reçu" } as const;
const outcomes = { begun: "en cours", done: "", refused: "refusé", failed: "en panne" } as const;

/** Everything that happened to an order, newest first. */
export function describeTimeline(file: OrderFile, trail: readonly DeskLogEntry[]): TimelineLine[] {
	const line = (
		kind: TimelineLine["kind"],
		id: string,
		at: Date,
		text: string,
		details: (string | null | false | undefined)[] = [],
	): TimelineLine => ({
		kind,
		id: `${kind}-${id}`,
		at: at.toISOString(),
		stamp: formatDayStamp(at),
		text,
		details: details.filter((detail): detail is string => Boolean(detail)),
	});
	return [
		...file.events
			.filter(({ event_type }) => !hiddenEvents.includes(event_type))
			.map(({ id, event_type, payload, created_at }) =>
				line("event", String(id), created_at, describeEvent(event_type, payload) ?? event_type, describePayload(payload)),
			),
		...file.mails.map(({ id, kind, created_at, sent_at, bounced_at, bounce_reason }) => ({
			...line("mail", id, sent_at ?? created_at, `E-mail\u00a0: ${getOrderEmail(kind).label}`, [
				bounced_at ? `refusé le ${formatDayStamp(bounced_at)}\u00a0: ${bounce_reason ?? "sans motif"}` : sent_at ? "parti" : "en attente",
			]),
			...((sent_at ?? bounced_at) && file.order.erased_at === null && { email: id }),
		})),
		// sent again since, as a new row of mails
		...file.sentEmails
			.filter(({ mailId }) => file.mails.every(({ id }) => id !== mailId))
			.map(({ mailId, kind, sentAt, bouncedAt }) => ({
				...line("mail", mailId, sentAt, `E-mail\u00a0: ${getOrderEmail(kind).label}`, [
					bouncedAt
						? `parti, revenu le ${formatDayStamp(bouncedAt)}\u00a0; remplacé par un nouvel envoi`
						: "parti, remplacé par un nouvel envoi",
				]),
				email: mailId,
			})),
		...file.payments.map(({ id, role, amount_cents, created_at }) =>
			line("payment", id, created_at, `${paymentRoles[role]}\u00a0: ${formatEuros(cents(amount_cents))}`, [
				file.lines.length > 0 && `pour la commande groupée, ${file.lines.length} lignes`,
				id,
			]),
		),
		...file.refunds.map(({ id, amount_cents, status, requested_at, settled_at, provider_id, reason, cause, requested_by }) =>
			line("payment", id, settled_at ?? requested_at, `Remboursement de ${formatEuros(cents(amount_cents))} ${refundStates[status]}`, [
				cause !== null && isKeyOf(operatorCauses, cause) ? operatorCauses[cause] : refundReasons[reason],
				requested_by,
				provider_id,
			]),
		),
		...file.refundRequests.map(({ id, created_at, message, answer }) =>
			line("request", id, created_at, `Demande de remboursement\u00a0: «\u00a0${message}\u00a0»`, [
				answer && `réponse\u00a0: «\u00a0${answer}\u00a0»`,
			]),
		),
		...file.notes.map(({ id, created_at, text, operator }) => line("note", id, created_at, text, [operator])),
		...trail.map((entry) => line("trail", entry.id, entry.at, describeVerb(entry), [entry.who, entry.origin, outcomes[entry.outcome]])),
	].sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id));
}

function describePayload({ by, confirmed, because, reason, replaces, tracking_number }: Record<string, unknown>): (string | null)[] {
	const confirmedNames = typeof confirmed === "string" ? confirmed.split(", ").map((name) => confirmedLabels[name] ?? name) : [];
	return [
		typeof by === "string" ? by : null,
		confirmedNames.length > 0 ? `confirmé\u00a0: ${confirmedNames.join(", ")}` : null,
		typeof because === "string" ? (isKeyOf(notFoundReasonLabels, because) ? notFoundReasonLabels[because] : because) : null,
		typeof replaces === "string" && typeof tracking_number === "string" ? `${replaces}, puis ${tracking_number}` : null,
		typeof reason === "string" && reason === "operator" ? "arrêtée par la boutique" : null,
	];
}

export interface DescribedDocument {
	id: string;
	name: string;
	details: string;
	/** False once its file was deleted. */
	stored: boolean;
	/** Whether it has the XML of an invoice. */
	hasXml: boolean;
}

/** The documents of an order, the extract first, with the invoice of its purchase. */
export function describeDocuments({ documents, sharedDocuments, invoices }: OrderFile): DescribedDocument[] {
	return [...documents, ...sharedDocuments]
		.toSorted((a, b) => Number(b.doc_type === "kbis") - Number(a.doc_type === "kbis"))
		.map(({ id, doc_type, issued_at, bytes, purged_at, replaced_at }) => {
			const number = invoices.find(({ document_id }) => document_id === id)?.number;
			const state = purged_at
				? `, supprimé le ${formatDayStamp(purged_at)}`
				: replaced_at
					? `, remplacé le ${formatDayStamp(replaced_at)}`
					: "";
			return {
				id,
				name: [documentNames[doc_type], number].filter(Boolean).join(" "),
				details: `du ${formatDayStamp(issued_at)}, ${formatBytes(bytes)}${state}`,
				stored: purged_at === null,
				hasXml: number !== undefined,
			};
		});
}

/** The e-mails that can leave again, each kind once. */
export function listResendable({ mails, order }: OrderFile): { kind: string; label: string }[] {
	if (order.erased_at !== null) return [];
	const emails = [...new Set(mails.map(({ kind }) => getOrderEmail(kind)))];
	return emails.filter(({ to }) => to === "customer" || to === "delivery").map(({ name, label }) => ({ kind: name, label }));
}
