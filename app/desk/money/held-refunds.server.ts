import { formatDayStamp, formatInstant } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { describeSetting } from "../../catalogue/settings/describe-settings.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { sumHeldRefunds } from "../../orders/refunds/refund-figures.store.server.ts";
import { listHeldRefunds } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";

export type HeldRefunds = Awaited<ReturnType<typeof readHeldRefunds>>;

/** The refunds that wait for a person, and the brake that holds them. */
export async function readHeldRefunds({ db, now }: Pick<Shop, "db" | "now">) {
	const held = await listHeldRefunds(db, now());
	const { refundBrake } = await readSettings(db);
	return {
		brake: describeSetting("refundBrake", refundBrake, now()),
		total: formatEuros(cents(held.reduce((sum, { amount_cents }) => sum + amount_cents, 0))),
		refunds: held.map(({ id, order_id, order_number, company_name, amount_cents, requested_at, held_until }) => ({
			id,
			orderId: order_id,
			number: order_number,
			company: company_name,
			amount: formatEuros(amount_cents),
			requestedAt: formatDayStamp(requested_at),
			leavesAt: held_until ? formatInstant(held_until) : "",
		})),
	};
}

/** The refunds that wait for a person, as a line for every page of the desk; null when none does. */
export async function describeHeld({ db, now }: Pick<Shop, "db" | "now">): Promise<string | null> {
	const { count, cents: sum } = await sumHeldRefunds(db, now());
	if (count === 0) return null;
	const [refunds, wait] = count === 1 ? ["remboursement de retard", "attend"] : ["remboursements de retard", "attendent"];
	return `${count}\u00a0${refunds} ${wait} votre décision\u00a0: ${formatEuros(cents(sum))}.`;
}
