import type { Deadlines } from "../catalogue/deadlines.ts";
import { formatEuros } from "../catalogue/money.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { isPosted, type ServiceCode, services } from "../catalogue/services.ts";
import { PromiseBand } from "../ui/promise-band.tsx";

interface PromisedHourProps {
	service: ServiceCode;
	promise: PromiseWeek["promise"];
	/** Smaller, in a card that has the price. */
	compact?: boolean;
}

/** The hour at which an extract paid now is sent, in large type. A page with it is at most a minute old. */
export function PromisedHour({ service, promise: { day, hour }, compact = false }: PromisedHourProps) {
	return (
		<p className="font-serif font-medium">
			<span className="figures label block font-sans text-soft">
				Commandé maintenant{!compact && `, à ${formatEuros(services[service].price)}`}&nbsp;:
			</span>
			<span className={`block ${compact ? "mt-1 text-lg leading-snug" : "mt-2 text-lg sm:text-xl"}`}>
				{isPosted(service) ? "posté" : "dans votre boîte e-mail"} <span className="whitespace-nowrap">{day}</span>{" "}
			</span>
			<span className={`figures whitespace-nowrap ${compact ? "text-2xl" : "text-3xl"}`}>avant {hour}</span>{" "}
			<span className="font-sans text-sm font-normal whitespace-nowrap text-soft">(heure de Paris)</span>
		</p>
	);
}

interface HourPanelProps {
	/** The fastest service that can be ordered. */
	service: "express" | "standard";
	/** The promise of each service for a payment now. */
	deadlines: Deadlines;
	/** Of this service. */
	week: PromiseWeek;
	className?: string;
}

/** The fastest service by e-mail that can be ordered now; null when none can. */
export const findFastest = (deadlines: Deadlines): "express" | "standard" | null =>
	(["express", "standard"] as const).find((code) => deadlines[code].open) ?? null;

/** The promise of the fastest service, the coming days, and what both services by e-mail cost. */
export function HourPanel({ service, deadlines, week, className = "" }: HourPanelProps) {
	const [fast, other] = service === "express" ? [services.express, services.standard] : [services.standard, services.express];
	return (
		<div className={`grid gap-x-16 gap-y-5 lg:grid-cols-2 lg:items-center ${className}`}>
			<PromisedHour service={service} promise={week.promise} />
			<div>
				<PromiseBand {...week} />
				<p className="figures mt-3 text-sm text-soft">
					{`Par e-mail, avec le ${fast.name}. ${other.name} à ${formatEuros(other.price)}\u00a0: ${deadlines[other.code].text}.`}
				</p>
			</div>
		</div>
	);
}
