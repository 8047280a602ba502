import { randomUUID } from "node:crypto";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { type Cents, cents } from "../../catalogue/money.ts";
import { isPosted } from "../../catalogue/services.ts";
import { withdrawalEndsAt } from "../../catalogue/withdrawal.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { insertWithdrawal, listWithdrawals, type Withdrawal } from "../../orders/customer-requests.store.server.ts";
import { listExtracts } from "../../orders/documents/documents.store.server.ts";
import { isCancelled } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase, lockOrderWithPurchase } from "../../orders/orders.store.server.ts";
import { calculateRefundable, listPaymentsOfPurchase, listRefundsOfPayment } from "../../orders/refunds/refunds.store.server.ts";
import { requestRefund } from "../../orders/refunds/request-refund.server.ts";
import { cancelLocked, isBeyondLine, isOpenToCancel } from "./cancel-order.server.ts";
import { describeWithdrawalRefusal, type WithdrawalRefusal } from "./withdrawal/withdrawal-refusals.ts";

/** What a withdrawal from one order would do now. `declared`: it was declared before. `unpaid`: there is no contract, and nothing to declare. */
export interface PlannedWithdrawal {
	order: Order;
	outcome: Withdrawal["outcome"] | "declared" | "unpaid";
	/** What would be refunded now. */
	refund: Cents;
	/** Why it would be refused. */
	reason: string | null;
	/** The declaration of before. */
	declared: Withdrawal | null;
}

/** The orders that a declaration may be for: the purchase of its first order, or one order (docs/rules.md, R182). */
const listScope = (order: Order, access: AccessKey, purchase: readonly Order[]): readonly Order[] =>
	access === "purchase" && order.id === order.purchase_id ? purchase : purchase.filter(({ id }) => id === order.id);

/** @returns what a withdrawal from each order would do, in the order of the lines; none without access. */
export async function planWithdrawal({ db, now }: Context, order: Order, access: AccessKey): Promise<PlannedWithdrawal[]> {
	if (!mayWithdraw(order, access)) return [];
	const orders = listScope(order, access, await listOrdersOfPurchase(db, order.purchase_id));
	const facts = await readFacts(db, orders);
	const payment = (await listPaymentsOfPurchase(db, order.purchase_id)).find(({ role }) => role === "order");
	const refunds = payment === undefined ? [] : await listRefundsOfPayment(db, payment.id);
	return orders.map((each): PlannedWithdrawal => {
		const { outcome, reason } = decide(each, facts, now());
		const isRefunded = payment !== undefined && (outcome === "cancelled" || outcome === "refunded");
		const refund = isRefunded ? calculateRefundable(refunds, payment, each).left : cents(0);
		return { order: each, outcome, refund, reason, declared: facts.declared.get(each.id) ?? null };
	});
}

type Decision = Pick<PlannedWithdrawal, "outcome" | "reason">;

/** What a withdrawal from an order does now. */
function decide(order: Order, { declared, readyAt }: Facts, now: Date): Decision {
	const ready = readyAt.get(order.id) ?? null;
	if (declared.has(order.id)) return { outcome: "declared", reason: null };
	if (isNeverPaid(order)) return { outcome: "unpaid", reason: null };
	if (isOpenToCancel(order, ready !== null)) return { outcome: "cancelled", reason: null };
	const refusal = checkWithdrawal(order, now);
	if (refusal === null) return { outcome: "refunded", reason: null };
	return { outcome: "refused", reason: describeWithdrawalRefusal(refusal, order, ready) };
}

export const mayWithdraw = (order: Order, access: AccessKey): boolean => mayAsk(access, "withdraw") && !isBeyondLine(order, access);

/** Expired or cancelled before a payment. An expired order may still be paid (isPayable). */
const isNeverPaid = ({ status, paid_at }: Order) => status === "failed" && paid_at === null;

interface Facts {
	/** By order: its declaration, and when its extract was stored. */
	declared: ReadonlyMap<string, Withdrawal>;
	readyAt: ReadonlyMap<string, Date>;
}

async function readFacts(db: Database | Trx, orders: readonly Order[]): Promise<Facts> {
	const ids = orders.map(({ id }) => id);
	const declared = new Map((await listWithdrawals(db, ids)).map((withdrawal) => [withdrawal.order_id, withdrawal]));
	const readyAt = new Map((await listExtracts(db, ids)).map(({ order_id, created_at }) => [order_id, created_at]));
	return { declared, readyAt };
}

export type WithdrawalOutcome =
	| { ok: true; declarationId: string }
	| { ok: false; code: "no-access" | "unknown" | "never-paid" | "nothing-chosen" };

/**
 * Records a declaration of withdrawal (C. conso. art. L221-21), decides on it at once and sends one receipt by e-mail. Before the delivery
 * an order is cancelled and refunded; after it, it is refunded within fourteen days unless the customer waived the right (L221-28, 1°). A
 * second declaration returns the first one. An order that was never paid has no contract: nothing is recorded.
 * @param lines of the purchase, by their numbers; all by default. With every line from which a withdrawal is possible, the declaration is for
 * the whole purchase, and its receipt says why the others are refused.
 */
export async function withdraw(
	context: Context,
	orderId: string,
	access: AccessKey,
	lines: readonly number[] | null = null,
): Promise<WithdrawalOutcome> {
	return context.db.transaction().execute(async (trx): Promise<WithdrawalOutcome> => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked === null) return { ok: false, code: "unknown" };
		const { order, purchase } = locked;
		if (!mayWithdraw(order, access)) return { ok: false, code: "no-access" };
		const scope = listScope(order, access, purchase);
		const facts = await readFacts(trx, scope);
		const decided = scope.map((each) => ({ each, ...decide(each, facts, context.now()) }));
		if (decided.some(({ outcome }) => outcome === "unpaid")) return { ok: false, code: "never-paid" };
		const open = decided.filter(isOpen); // the rule; net: withdrawals.order_id is unique
		const isChosen = ({ each }: { each: Order }) => lines === null || lines.includes(each.purchase_line);
		const possible = open.filter(({ outcome }) => outcome !== "refused");
		// one order alone is not chosen, and an unpaid purchase is cancelled as a whole
		const isWhole = scope.length === 1 || possible.every(isChosen) || possible.some(({ each }) => each.status === "pending");
		const chosen = isWhole ? open : possible.filter(isChosen);
		const [first] = chosen;
		if (first === undefined) {
			// sent once more, after an answer that was lost: the receipt of what was chosen, or of everything
			const repeated = open.length > 0 ? decided.filter(isChosen) : decided;
			const latest = findLatestDeclaration(repeated.flatMap(({ each }) => facts.declared.get(each.id) ?? []));
			return latest === null ? { ok: false, code: "nothing-chosen" } : { ok: true, declarationId: latest };
		}
		const declarationId = randomUUID();
		for (const { each, outcome, reason } of chosen) {
			const refund = await carryOut[outcome](context, trx, { order: each, purchase });
			await insertWithdrawal(trx, { orderId: each.id, declarationId, declaredAt: context.now(), outcome, reason, refund });
		}
		// its row names the first line: each line is declared once, so each declaration has its receipt
		await queueOrderEmail(context, trx, { orderId: first.each.id, kind: "withdrawal-receipt" });
		return { ok: true, declarationId };
	});
}

/** @returns the id of the latest of some declarations; null of none. */
export function findLatestDeclaration(declared: readonly Withdrawal[]): string | null {
	const [latest] = declared.toSorted((one, other) => other.declared_at.getTime() - one.declared_at.getTime());
	return latest?.declaration_id ?? null;
}

const isOpen = <Decided extends Decision>(decided: Decided): decided is Decided & { outcome: Withdrawal["outcome"] } =>
	decided.outcome !== "declared" && decided.outcome !== "unpaid";

type CarryOut = (context: Context, trx: Trx, locked: { order: Order; purchase: readonly Order[] }) => Promise<Cents>;

/** What is done for one order, in the transaction that holds the locks of its purchase. @returns what is refunded. */
const carryOut: Record<Withdrawal["outcome"], CarryOut> = {
	// the first line of an unpaid purchase cancels it as a whole, and nothing is left for the others
	cancelled: async (context, trx, locked) => (await cancelLocked(context, trx, locked, "withdrawal"))?.refund ?? cents(0),
	async refunded(context, trx, { order }) {
		const requested = await requestRefund(context, trx, order, { reason: "withdrawal" });
		return requested.ok ? requested.amount : cents(0);
	},
	refused: async () => cents(0),
};

/** @returns why the customer cannot withdraw from a delivered or failed order; null when they can. */
function checkWithdrawal(order: Order, now: Date): WithdrawalRefusal | null {
	if (order.status === "failed") return isCancelled(order) ? "cancelled" : "failed";
	// the rule; net: requestRefund refunds no more than was captured
	if (order.refunded_cents >= order.price_cents) return "refunded";
	if (order.withdrawal_waived_at !== null) return "waived";
	const startedAt = (isPosted(order.product_code) && order.completed_at) || order.paid_at || order.created_at;
	return now >= withdrawalEndsAt(order.product_code, startedAt) ? "too-late" : null;
}
