export type Duration = { years?: number; months?: number; days?: number; hours?: number };

/** « 3 ans », « 12 mois », « 90 jours », « 24 heures » */
export function formatPeriod(duration: Duration): string {
	const { years, months, days, hours } = duration;
	if (years !== undefined) return `${years}\u00a0an${years > 1 ? "s" : ""}`;
	if (months !== undefined) return `${months}\u00a0mois`;
	if (hours !== undefined) return `${hours}\u00a0heure${hours > 1 ? "s" : ""}`;
	return `${days}\u00a0jour${days === 1 ? "" : "s"}`;
}
