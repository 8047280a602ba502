/** Replaces ordinary spaces by the no-break spaces of French typography. */
export function setFrenchSpaces(text: string): string {
	return text
		.replace(/ (?=[:;?!€%»])/g, "\u00a0")
		.replace(/« /g, "«\u00a0")
		.replace(
			/(\d(?:er)?) (?=(h|ans?|mois|jours?|heures?|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b)/g,
			"$1\u00a0",
		);
}
