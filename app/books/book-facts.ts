import type { AccountName, AccountNumbers } from "../../server/environment/account-settings.ts";
import { type Cents, cents, formatEuros } from "../catalogue/money.ts";
import type { InvoiceData } from "../orders/invoices/invoice.ts";
import { calculateAmounts } from "../orders/invoices/invoice-amounts.ts";
import type { EntryDraft, EntryLine } from "./entry.ts";

/** Turns facts into entries. Amounts are cents; a positive amount debits its account, a negative one credits it. */

function toLines(numbers: AccountNumbers, amounts: readonly (readonly [AccountName, number])[]): EntryLine[] {
	return amounts.flatMap(([account, amount]) => {
		if (amount === 0) return [];
		const [debit, credit] = amount > 0 ? [cents(amount), cents(0)] : [cents(0), cents(-amount)];
		return [{ account, number: numbers[account], debit, credit }];
	});
}

/**
 * The instant at which the VAT of an invoice or credit note is due. A service's VAT is due when it is paid (CGI art. 269, 2, c). An invoice
 * that replaces another one changes nothing of that, so it counts with the credit note that cancels the other, at their issue. A credit
 * note counts at its issue (CGI art. 272, 1).
 */
export function getVatInstant({ kind, replaces, paidAt, issuedAt }: Pick<InvoiceData, "kind" | "replaces" | "paidAt" | "issuedAt">): Date {
	return new Date(kind === "invoice" && replaces === undefined ? paidAt : issuedAt);
}

/** An invoice, or with the opposite signs a credit note. */
export function bookInvoice(numbers: AccountNumbers, data: InvoiceData): EntryDraft {
	const sign = data.kind === "invoice" ? 1 : -1;
	const rate = data.vatRate;
	const { net, vat, total } = calculateAmounts(data);
	return {
		fact: `invoice:${data.number}`,
		journal: "VT",
		at: new Date(data.issuedAt),
		pieceRef: data.number,
		label: describeInvoice(data),
		subject: data.orderNumber,
		lines: toLines(numbers, [
			["customers", sign * total],
			["sales", -sign * net],
			["vat", -sign * vat],
		]),
		vat: { dueAt: getVatInstant(data), rate, net: cents(sign * net), vat: cents(sign * vat) },
	};
}

function describeInvoice({ kind, number, corrects, replaces, orderNumber, lines }: InvoiceData): string {
	const [line, ...others] = lines;
	const order = others.length === 0 ? (line?.orderNumber ?? orderNumber) : orderNumber;
	if (kind === "credit_note") return `Avoir ${number} sur ${corrects?.number ?? ""}, commande ${order}`;
	return `Facture ${number}${replaces ? ` en remplacement de ${replaces.number}` : ""}, commande ${order}`;
}

/** A payment that the shop recorded, in euros. */
export interface PaymentFact {
	id: string;
	role: "order" | "surplus" | "mismatch";
	amount: Cents;
	at: Date;
	orderNumber: string;
	/** The provider's movement was booked before the payment was known. */
	movementBooked: boolean;
}

/** A receipt. A duplicate or mismatched payment is no sale: it waits on the suspense account until it is refunded. */
export function bookPayment(
	numbers: AccountNumbers,
	{ id, role, amount, at, orderNumber, movementBooked }: PaymentFact,
): EntryDraft | null {
	const account = role === "order" ? "customers" : "suspense";
	const paidInto = movementBooked ? "suspense" : "provider";
	const labels = { order: "Encaissement", surplus: "Paiement en double", mismatch: "Paiement à vérifier" };
	if (account === paidInto) return null; // it is on the suspense account already
	return {
		fact: `payment:${id}`,
		journal: "PP",
		at,
		pieceRef: id,
		subject: orderNumber,
		label: `${labels[role]}, commande ${orderNumber}`,
		lines: toLines(numbers, [
			[paidInto, amount],
			[account, -amount],
		]),
	};
}

/** A refund that succeeded, or one that the bank returned afterwards. */
export interface RefundFact {
	id: string;
	role: PaymentFact["role"];
	amount: Cents;
	at: Date;
	/** Of the refunded order. */
	orderNumber: string;
	/** Of the first order of its purchase. */
	purchaseNumber: string;
	returned: boolean;
	/** The provider's movement was booked before the refund was known. */
	movementBooked: boolean;
}

export function bookRefund(numbers: AccountNumbers, fact: RefundFact): EntryDraft | null {
	const { id, role, amount, at, orderNumber, purchaseNumber, returned, movementBooked } = fact;
	const sign = returned ? -1 : 1;
	const account = role === "order" ? "customers" : "suspense";
	const paidFrom = movementBooked ? "suspense" : "provider";
	if (account === paidFrom) return null; // it is on the suspense account already
	return {
		fact: `${returned ? "refund-returned" : "refund"}:${id}`,
		journal: "PP",
		at,
		pieceRef: id,
		subject: purchaseNumber,
		label: `${returned ? "Remboursement revenu" : "Remboursement"}, commande ${orderNumber}`,
		lines: toLines(numbers, [
			[account, sign * amount],
			[paidFrom, -sign * amount],
		]),
	};
}

/** A movement of the provider's balance, in euros. */
export interface MovementFact {
	id: string;
	kind: "charge" | "refund" | "refund-returned" | "dispute" | "dispute-won" | "fee" | "payout" | "payout-returned" | "other";
	/** Gross; positive when the balance rises. */
	amount: Cents;
	fee: Cents;
	at: Date;
	/** Null: no payment of the shop. */
	orderNumber: string | null;
	/** The entry of the payment or refund books its gross amount. */
	hasEntry: boolean;
}

/**
 * The part of a movement that no other fact books: its fee, and a gross amount that is neither a payment nor a refund of the shop. Fees
 * are booked without VAT: the provider is in another Member State, so that the shop accounts for it (CGI art. 283, 2).
 * @returns null when there is no such part. Payouts are booked by `bookPayout`.
 */
export function bookMovement(numbers: AccountNumbers, movement: MovementFact): EntryDraft | null {
	const { id, kind, amount, fee, at, orderNumber, hasEntry } = movement;
	if (kind === "payout" || kind === "payout-returned") return null;
	const gross = hasEntry ? 0 : amount;
	const lines = toLines(numbers, [
		["provider", gross - fee],
		["fees", kind === "fee" ? fee - gross : fee],
		...(kind === "fee" ? [] : [[getCounterpart(movement), -gross] as const]),
	]);
	if (lines.length === 0) return null;
	const about = orderNumber === null ? id : `commande ${orderNumber}`;
	return {
		fact: `movement:${id}`,
		journal: "PP",
		at,
		pieceRef: id,
		subject: orderNumber ?? id,
		lines,
		label: `${hasEntry ? "Frais" : movementLabels[kind]}${!hasEntry && fee !== 0 && kind !== "fee" ? ` et frais (${formatEuros(fee)})` : ""}, ${about}`,
	};
}

const movementLabels = {
	charge: "Encaissement inconnu",
	refund: "Remboursement inconnu",
	"refund-returned": "Retour inconnu",
	dispute: "Paiement contesté",
	"dispute-won": "Contestation gagnée",
	fee: "Frais du prestataire",
	other: "Mouvement du prestataire",
} as const;

/** A disputed payment is owed again by its customer. */
const getCounterpart = ({ kind, orderNumber }: MovementFact): AccountName =>
	orderNumber !== null && (kind === "dispute" || kind === "dispute-won") ? "disputed" : "suspense";

/** The end of a lost dispute, in euros: what the customer still owed is lost. */
export interface LossFact {
	paymentId: string;
	amount: Cents;
	at: Date;
	orderNumber: string;
}

/** The loss includes VAT: whether it can be recovered (CGI art. 272, 1) is decided by the accountant. */
export function bookLoss(numbers: AccountNumbers, { paymentId, amount, at, orderNumber }: LossFact): EntryDraft {
	return {
		fact: `loss:${paymentId}`,
		journal: "PP",
		at,
		pieceRef: paymentId,
		subject: orderNumber,
		label: `Contestation perdue, commande ${orderNumber}`,
		lines: toLines(numbers, [
			["losses", amount],
			["disputed", -amount],
		]),
	};
}

/** A payout to the bank, or one that the bank returned. */
export interface PayoutFact {
	id: string;
	amount: Cents;
	at: Date;
	returned: boolean;
}

export function bookPayout(numbers: AccountNumbers, { id, amount, at, returned }: PayoutFact): EntryDraft {
	const sign = returned ? -1 : 1;
	return {
		fact: `${returned ? "payout-returned" : "payout"}:${id}`,
		journal: "BQ",
		at,
		pieceRef: id,
		subject: id,
		label: `${returned ? "Virement revenu" : "Virement du prestataire de paiement"} ${id}`,
		lines: toLines(numbers, [
			["bank", sign * amount],
			["provider", -sign * amount],
		]),
	};
}
