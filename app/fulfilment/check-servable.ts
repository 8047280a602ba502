import { isInProgress } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";

export type NotServable = "not-paid" | "completed" | "failed";

/** @returns why an order is not being served; null while it is. */
export function checkServable({ status }: Pick<Order, "status">): NotServable | null {
	if (isInProgress(status)) return null;
	if (status === "pending") return "not-paid";
	return status === "completed" ? "completed" : "failed";
}
