import { formatInstant, formatShortInstant } from "../../catalogue/instants.ts";
import { services } from "../../catalogue/services.ts";
import { cancelledLabel, getPresentStep, type OrderStatus, progressSteps, statusLabels } from "../../orders/lifecycle.ts";
import { Icon } from "../../ui/icon.tsx";
import { Status, type StatusKind } from "../../ui/notice.tsx";
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

/** @param cancelled the customer cancelled the order: for them that is no failure. */
export function OrderStatusLabel(props: { status: OrderStatus; cancelled: boolean }) {
	return (
		<span aria-live="polite">
			<OrderStatusInList {...props} />
		</span>
	);
}

/** The same among other orders: screen readers do not announce its changes. */
export function OrderStatusInList({ status, cancelled }: { status: OrderStatus; cancelled: boolean }) {
	return cancelled ? <Status kind="info">{cancelledLabel}</Status> : <Status kind={kinds[status]}>{statusLabels[status]}</Status>;
}

/** The four steps: those that are over, and the present one. Nothing for a failed order. */
export function OrderProgress({ order, progress, stepTimes }: Pick<DescribedOrder, "order" | "progress" | "stepTimes">) {
	if (order.status === "failed") return null;
	const present = getPresentStep(order.status, progress);
	return (
		<ol aria-label="Avancement" className="grid gap-2 sm:grid-cols-4">
			{progressSteps[services[order.product_code].deliveryMethod].map((step, index) => {
				const [done, isPresent] = [index < progress, index + 1 === present];
				const time = done ? stepTimes[index] : null;
				return (
					<li
						key={step}
						aria-current={isPresent ? "step" : undefined}
						className={`flex flex-wrap content-start items-center gap-x-2 border-t-2 pt-2 ${done ? "border-done font-semibold" : isPresent ? "border-edge font-semibold" : "border-line text-soft"}`}
					>
						{done ? <Icon name="check" className="size-4.5 text-done" /> : <span className="figures">{index + 1}.</span>}
						{step}
						{done && <span className="sr-only"> (fait)</span>}
						{time && (
							<time dateTime={time} className="figures ml-auto text-sm font-normal text-soft sm:ml-0 sm:w-full">
								{formatShortInstant(new Date(time))}
							</time>
						)}
					</li>
				);
			})}
		</ol>
	);
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
