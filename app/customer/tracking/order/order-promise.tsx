import { useEffect, useState } from "react";
import { formatDayAndHour, formatHour, formatPromisedInstant, formatWeekdayAndDate, inParis } from "../../../catalogue/instants.ts";
import { isPosted, services } from "../../../catalogue/services.ts";
import { comparePromise, describeTimeLeft } from "../../../catalogue/time-left.ts";
import { describeRequest } from "../../../orders/describe-request.ts";
import { isInProgress } from "../../../orders/lifecycle.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { DescribedOrder } from "../describe-order.server.ts";

export interface OrderPromiseProps extends Pick<DescribedOrder, "order" | "progress" | "refundDueBy"> {
	/** Whether it was bought with others: then one e-mail comes for all extracts of its service. */
	isOneOfSeveral: boolean;
	/** The addresses that get the extract, or the tracking number of a letter. */
	sentTo: readonly string[];
	/** When a letter arrives; null for an order by e-mail, and for who does not see its address. */
	arrival: string | null;
	/** The server's clock and the next opening, in ISO 8601; null while the shop is open. */
	clock: { now: string; nextOpening: string | null };
}

/** The one statement about the delivery: the promised hour while the order is awaited, then the delivery and how it kept the promise. */
export function OrderPromise(props: OrderPromiseProps) {
	const { order } = props;
	if (order.status === "completed" && order.completed_at !== null) return <Delivery order={order} completedAt={order.completed_at} />;
	if (!isInProgress(order.status)) return null;
	if (order.late) return <Delay order={order} refundDueBy={props.refundDueBy} />;
	if (order.promised_at === null || isRefunded(order)) return null;
	return <Wait {...props} promisedAt={order.promised_at} />;
}

const isRefunded = ({ refunded_cents: refunded, price_cents: price }: DescribedOrder["order"]) =>
	refunded !== null && price !== null && refunded >= price;

function Wait({ order, progress, arrival, sentTo, isOneOfSeveral, clock, promisedAt }: OrderPromiseProps & { promisedAt: string }) {
	const postal = isPosted(order.product_code);
	const promised = new Date(promisedAt);
	const nextOpening = clock.nextOpening === null ? null : new Date(clock.nextOpening);
	return (
		<div className="border-t border-line pt-6 print:pt-2">
			<p className="text-soft">{postal ? "Posté au plus tard" : "Livré au plus tard"}</p>
			<p className="figures mt-1 font-serif">
				<time dateTime={promisedAt}>
					<span className="block text-xl">{formatWeekdayAndDate(promised)}</span>{" "}
					<span className="block text-3xl">à {formatHour(promised)}</span>
				</time>
			</p>
			<p className="text-sm text-soft">heure de Paris</p>
			{arrival && <p className="mt-2">{arrival}</p>}
			<TimeLeft key={clock.now} serverNow={clock.now} until={promised} />
			<p className="mt-5">
				{progress < 3
					? describeRequest(order.extract_requested_at !== null, nextOpening)
					: `Votre extrait est prêt\u00a0: nous ${postal ? "le postons" : "vous l’envoyons"}.`}
			</p>
			<p className="mt-2 text-soft">
				Vous pouvez fermer cette page{"\u00a0"}:{" "}
				{isOneOfSeveral ? "nous écrirons à" : `nous enverrons ${postal ? "le numéro de suivi" : "l’extrait"} à`}{" "}
				<span className="break-words text-ink">{sentTo.join(" et à ")}</span>
				{isOneOfSeveral && ` quand tous les extraits de ce service seront ${postal ? "postés" : "prêts"}`}.
			</p>
		</div>
	);
}

/** Counts down by the server's clock. Outside of live regions: screen readers must not repeat it every minute. */
function TimeLeft({ serverNow, until }: { serverNow: string; until: Date }) {
	const [elapsed, setElapsed] = useState(0);
	useEffect(() => {
		const start = performance.now();
		const timer = window.setInterval(() => setElapsed(performance.now() - start), 20_000);
		return () => window.clearInterval(timer);
	}, []);
	const left = describeTimeLeft(new Date(Date.parse(serverNow) + elapsed), until);
	return left && <p className="figures mt-2 text-lg text-soft">{left}</p>;
}

function Delivery({ order, completedAt }: { order: DescribedOrder["order"]; completedAt: string }) {
	const delivered = new Date(completedAt);
	const promised = order.promised_at === null ? null : new Date(order.promised_at);
	// an extract that was ready in time is not late, even if its e-mail was (docs/rules.md, R24)
	const compared = promised !== null && (order.late || delivered <= promised);
	return (
		<p className="border-t border-line pt-5 text-lg print:pt-2 print:text-base">
			{isPosted(order.product_code) ? "Posté" : "Livré"} <time dateTime={completedAt}>{formatDayAndHour(delivered)}</time>
			{compared && `, ${comparePromise(delivered, promised)} (${formatDayAndHour(promised)})`}.
			{compared && order.late && " Nous vous prions de nous en excuser."}
		</p>
	);
}

function Delay({ order, refundDueBy }: Pick<OrderPromiseProps, "order" | "refundDueBy">) {
	const refunded = services[order.product_code].refundedWhenLate && !order.disputed;
	return (
		<Notice kind="waiting" title="Votre commande est en retard, et nous vous prions de nous en excuser.">
			{order.promised_at !== null && <p>Nous l’avions promise pour le {formatPromisedInstant(new Date(order.promised_at))}.</p>}
			<p>
				{refunded && refundDueBy !== null
					? `Son remboursement en totalité vous est dû\u00a0: il part au plus tard ${formatDayAndHour(new Date(refundDueBy))}${inParis}, sans que vous ayez à le demander. Vous recevrez quand même votre extrait.`
					: refunded
						? "Nous vous la remboursons en totalité, sans que vous ayez à le demander. Vous recevrez quand même votre extrait."
						: "Nous y travaillons. Vous pouvez attendre votre extrait, ou annuler."}
			</p>
		</Notice>
	);
}
