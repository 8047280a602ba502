import { href } from "react-router";
import { Siren } from "../ui/siren.tsx";
import type { Suggestion } from "./company-search.ts";

/** Suggestions begin at this many characters: the server has none for less. */
export const suggestionsFrom = 3;

/** Companies for the text typed so far, as a combobox shows them: the id is the SIREN. None when the server cannot say; throws when aborted or offline. */
export async function suggestInBrowser(text: string, signal: AbortSignal) {
	const response = await fetch(`${href("/api/entreprises/suggestions")}?${new URLSearchParams({ q: text })}`, { signal });
	if (!response.ok) return [];
	const companies = (await response.json()) as Suggestion[];
	return companies.map(({ siren, name, city }) => ({
		id: siren,
		label: name,
		detail: (
			<>
				<Siren value={siren} />
				{city && ` · ${city}`}
			</>
		),
	}));
}
