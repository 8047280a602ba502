import { useEffect, useState } from "react";
import { formatDayAndHour } from "../../catalogue/instants.ts";
import { formatTimeLeft, getUrgency, type Urgency } from "../../catalogue/urgency.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

/** Each step has its words: colour and icon repeat them. `formatTimeLeft` writes « retard ». */
const looks: Record<Urgency, { icon: IconName; className: string; words: string }> = {
	late: { icon: "alert", className: "text-failed font-semibold", words: "" },
	now: { icon: "alert", className: "text-waiting font-semibold", words: "plus que " },
	soon: { icon: "clock", className: "text-waiting", words: "encore " },
	later: { icon: "clock", className: "text-soft", words: "dans " },
};

/** The time left until a promise, in words and colour: « plus que 28 min », « retard 45 min ». */
export function TimeLeft({ dueAt, now }: { dueAt: Date; now: Date }) {
	const { icon, className, words } = looks[getUrgency(dueAt, now)];
	return (
		<time
			dateTime={dueAt.toISOString()}
			title={`Promise pour ${formatDayAndHour(dueAt)}`}
			className={`figures inline-flex items-center gap-1.5 whitespace-nowrap ${className}`}
		>
			<Icon name={icon} className="size-4.5" />
			{words + formatTimeLeft(dueAt, now)}
		</time>
	);
}

/** Milliseconds between two ticks: the page shows minutes. */
const interval = 10_000;

/** The server's clock, going on in the browser from the instant at which the page's data were read. */
export function useClock(readAt: string): Date {
	const [elapsed, setElapsed] = useState({ readAt, ms: 0 });
	useEffect(() => {
		const started = performance.now();
		setElapsed({ readAt, ms: 0 });
		const timer = setInterval(() => setElapsed({ readAt, ms: performance.now() - started }), interval);
		return () => clearInterval(timer);
	}, [readAt]);
	return new Date(Date.parse(readAt) + (elapsed.readAt === readAt ? elapsed.ms : 0));
}
