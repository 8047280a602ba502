import { formatDayAndHour } from "../../catalogue/instants.ts";
import { formatTimeLeft, getUrgency, type Urgency } from "../../catalogue/urgency.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";

/** Colour, icon and weight differ, because colour alone must not carry a meaning. */
const looks: Record<Urgency, { icon: IconName; className: string }> = {
	late: { icon: "alert", className: "text-failed font-semibold" },
	now: { icon: "alert", className: "text-waiting font-semibold" },
	soon: { icon: "clock", className: "text-waiting" },
	later: { icon: "clock", className: "text-soft" },
};

/** The time left until a promise, in words and colour: « 28 min », « retard 45 min ». */
export function TimeLeft({ dueAt, now }: { dueAt: Date; now: Date }) {
	const { icon, className } = looks[getUrgency(dueAt, now)];
	return (
		<time
			dateTime={dueAt.toISOString()}
			title={`Promise pour ${formatDayAndHour(dueAt)}`}
			className={`figures inline-flex items-center gap-1.5 whitespace-nowrap ${className}`}
		>
			<Icon name={icon} className="size-4.5" />
			{dueAt >= now && <span className="sr-only">reste </span>}
			{formatTimeLeft(dueAt, now)}
		</time>
	);
}
