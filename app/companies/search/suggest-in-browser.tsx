import { href } from "react-router";
import { Siren } from "../../ui/siren.tsx";
import type { CompanyPreview } from "../company.ts";
import { MatchedText } from "./matched-text.tsx";

/** In characters. The server returns nothing for shorter texts. */
export const suggestionsFrom = 3;

/** Fetches companies for a typed text as combobox options. Returns none after an error of the server; throws when aborted or offline. */
export async function suggestInBrowser(text: string, signal: AbortSignal) {
	const response = await fetch(`${href("/api/entreprises/suggestions")}?${new URLSearchParams({ q: text })}`, { signal });
	if (!response.ok) return [];
	const companies: CompanyPreview[] = await response.json();
	return companies.map((company) => ({
		id: company.siren,
		label: <MatchedText text={company.name} query={text} />,
		company,
		detail: (
			<>
				{company.matchedName && (
					<strong className="mr-1 font-semibold text-ink">
						<MatchedText text={company.matchedName} query={text} />
					</strong>
				)}{" "}
				<Siren value={company.siren} />
				{company.headOffice?.city && ` · ${company.headOffice.city}`}
				{company.notices.map(({ code, title }) => (
					<strong key={code} className="block text-waiting">
						{title}
					</strong>
				))}
			</>
		),
	}));
}
