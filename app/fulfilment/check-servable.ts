import { isInProgress } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";

export type NotServable = "not-paid" | "completed" | "failed";

/** @returns why an order cannot be served; null while it is in progress. */
export function checkServable({ status }: Pick<Order, "status">): NotServable | null {
	if (isInProgress(status)) return null;
	if (status === "pending") return "not-paid";
	return status === "completed" ? "completed" : "failed";
}
