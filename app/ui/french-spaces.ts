/** Replaces ordinary spaces by the no-break spaces of French typography. */
export function setFrenchSpaces(text: string): string {
	return text
		.replace(/ (?=[:;?!€%»])/g, "\u00a0")
		.replace(/(«|\b[nN]°) /g, "$1\u00a0")
		.replace(
			/(\d(?:er)?) (?=(h|ans?|mois|jours?|heures?|minutes?|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b(?!-))/g,
			"$1\u00a0",
		);
}

/**
 * Writes the telephone hours of the settings as a sentence says them: « 7j/7, 8h-20h » → « 7 j/7, de 8 h à 20 h ».
 * Any other text stays as it is.
 */
export function formatSupportHours(hours: string): string {
	return hours
		.replace(/(\d)\s*j\s*\/\s*(\d)/g, "$1\u00a0j/$2")
		.replace(
			/(?<!de )\b(\d{1,2})\s*h(?:\s*(\d\d))?\s*[-–]\s*(\d{1,2})\s*h(?:\s*(\d\d))?(?!\d)/g,
			(_, from, fromMinutes, to, toMinutes) => `de ${formatTime(from, fromMinutes)} à ${formatTime(to, toMinutes)}`,
		);
}

const formatTime = (hour: string, minutes?: string) => `${Number(hour)}\u00a0h${minutes ? `\u00a0${minutes}` : ""}`;
