import type { ProviderMovement } from "../../payments/provider.ts";
import { getDay } from "../month.ts";
import { type Cell, writeCsv } from "./csv.ts";
import { formatFrenchDay } from "./journal-files.ts";

/** A movement with its payout. Amounts in cents. */
export interface PaidOutRow {
	/** Null: not paid out within the month. */
	payout: string | null;
	arrivesAt: Date | null;
	paid: number | null;
	/** Null in a payout whose movements are unknown. */
	id: string | null;
	kind: ProviderMovement["kind"] | null;
	at: Date | null;
	amount: number | null;
	fee: number | null;
	paymentId: string | null;
	orderNumber: string | null;
}

export const movementLabels = {
	charge: "Paiement",
	refund: "Remboursement",
	"refund-returned": "Remboursement revenu",
	dispute: "Contestation",
	"dispute-won": "Contestation gagnée",
	fee: "Frais",
	payout: "Virement",
	"payout-returned": "Virement revenu",
	other: "Autre",
} as const satisfies Record<ProviderMovement["kind"], string>;

/** Each line of the bank with the payments and refunds behind it, and what reaches the bank later. */
export function writePayouts(rows: readonly PaidOutRow[]): Uint8Array {
	const head = ["Virement", "Arrivé le", "Montant viré", "Mouvement", "Nature", "Date", "Commande", "Paiement", "Brut", "Frais", "Net"];
	return writeCsv(
		head,
		rows.map(({ payout, arrivesAt, paid, id, kind, at, amount, fee, paymentId, orderNumber }) => [
			...[payout ?? "En attente de virement", formatDate(arrivesAt), toCell(paid), id, kind && movementLabels[kind], formatDate(at)],
			...[orderNumber, paymentId, toCell(amount), toCell(fee), amount === null ? null : { cents: amount - (fee ?? 0) }],
		]),
	);
}

const toCell = (amount: number | null): Cell => (amount === null ? null : { cents: amount });
const formatDate = (instant: Date | null): string => (instant === null ? "" : formatFrenchDay(getDay(instant)));
