import { Icon, type IconName } from "../../ui/icon.tsx";

const minute = 60_000;

/** Colour, icon and words differ, because colour alone must not carry a meaning. */
function getLook(minutes: number): { icon: IconName; className: string } {
	if (minutes < 0) return { icon: "alert", className: "text-failed font-semibold" };
	if (minutes <= 30) return { icon: "alert", className: "text-waiting font-semibold" };
	return { icon: "clock", className: minutes <= 60 ? "text-waiting" : "" };
}

/** The promise of an order with the time left: « lundi 23 novembre à 10 h, reste 28 min ». */
export function PromiseLeft({ at, text, now }: { at: string; text: string; now: string }) {
	const minutes = Math.floor((Date.parse(at) - Date.parse(now)) / minute);
	const { icon, className } = getLook(minutes);
	return (
		<span className={`figures inline-flex items-center gap-1.5 ${className}`}>
			<Icon name={icon} className="size-4.5" />
			Promise {text}, {minutes < 0 ? `en retard de ${formatLength(-minutes)}` : `reste ${formatLength(minutes)}`}
		</span>
	);
}

/** « 28 min », « 1 h 20 », « 2 j 4 h » */
function formatLength(minutes: number): string {
	const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
	if (days > 0) return `${days}\u00a0j ${hours}\u00a0h`;
	return hours > 0 ? `${hours}\u00a0h\u00a0${String(rest).padStart(2, "0")}` : `${rest}\u00a0min`;
}
