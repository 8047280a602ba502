import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { isPosted, type ServiceCode } from "../catalogue/services.ts";

interface PromisedHourProps {
	service: ServiceCode;
	promise: PromiseWeek["promise"];
	/** Smaller, in a card. */
	compact?: boolean;
}

/** The hour at which an extract paid now is sent, in large type. A page with it is at most a minute old. */
export function PromisedHour({ service, promise: { day, hour }, compact = false }: PromisedHourProps) {
	return (
		<p className="font-serif font-medium">
			<span className="label block font-sans text-soft">Commandé maintenant&nbsp;:</span>
			<span className={`block ${compact ? "mt-1 text-lg leading-snug" : "mt-2 text-xl"}`}>
				{isPosted(service) ? "posté" : "chez vous"} {day}{" "}
			</span>
			<span className={`figures block ${compact ? "text-2xl" : "text-3xl"}`}>avant {hour}</span>
		</p>
	);
}
