import { formatInstant } from "../catalogue/instants.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { isFinal, type OrderStatus, progressSteps, statusLabels } from "../orders/lifecycle.ts";
import { Icon } from "../ui/icon.tsx";
import { Status, type StatusKind } from "../ui/notice.tsx";
import type { DescribedOrder } from "./describe-order.server.ts";
import { describeEvent } from "./event-labels.ts";

/** One colour and icon per state: yellow, blue, purple, green, red (docs/rules.md, R20). */
const kinds: Record<OrderStatus, StatusKind> = {
	pending: "waiting",
	paid: "paid",
	processing: "processing",
	completed: "done",
	failed: "failed",
};

export function OrderStatusLabel({ status }: { status: OrderStatus }) {
	return <Status kind={kinds[status]}>{statusLabels[status]}</Status>;
}

/** The four steps, done up to the current one. Nothing for a failed order. */
export function OrderProgress({ order, reached }: { order: DescribedOrder["order"]; reached: number }) {
	if (order.status === "failed") return null;
	return (
		<ol aria-label="Avancement" className="grid gap-2 sm:grid-cols-4">
			{progressSteps[services[order.product_code].deliveryMethod].map((step, index) => {
				const done = index < reached;
				return (
					<li
						key={step}
						// before the payment, the first step is the current one and not done
						aria-current={index + 1 === Math.max(reached, 1) ? "step" : undefined}
						className={`flex items-center gap-2 border-t-2 pt-2 ${done ? "border-done font-semibold" : "border-line text-soft"}`}
					>
						{done ? <Icon name="check" className="size-4.5 text-done" /> : <span className="figures">{index + 1}.</span>}
						{step}
						{done && <span className="sr-only"> (fait)</span>}
					</li>
				);
			})}
		</ol>
	);
}

/** The deadline's label and value for a summary. The value is null for a failed or fully refunded order. */
export function describeDeadline({ product_code, status, promised_at, refunded_cents, price_cents }: DescribedOrder["order"]) {
	const isOwed = promised_at !== null && status !== "failed" && refunded_cents < price_cents;
	const label = isPosted(product_code) ? "Posté au plus tard" : "Livré au plus tard";
	return [label, isOwed ? formatInstant(new Date(promised_at)) : null] as const;
}

/** The events of an order for its customer, oldest first. */
export function OrderHistory({ events }: { events: DescribedOrder["events"] }) {
	return (
		<ol className="divide-y divide-line border-y border-line">
			{events.map((event) => {
				const sentence = describeEvent(event.event_type, event.payload);
				return sentence === null ? null : (
					<li key={event.id} className="flex flex-wrap justify-between gap-x-6 py-2.5">
						<span>{sentence}</span>
						<time dateTime={event.created_at} className="figures text-soft">
							{formatInstant(new Date(event.created_at))}
						</time>
					</li>
				);
			})}
		</ol>
	);
}

/** Whether the order may change by itself: the page is then live. */
export function mayStillChange({
	order,
	refundAwaited,
	invoiceAwaited,
}: Pick<DescribedOrder, "order" | "refundAwaited" | "invoiceAwaited">): boolean {
	return !isFinal(order.status) || refundAwaited || invoiceAwaited;
}
