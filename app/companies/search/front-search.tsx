import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Icon } from "../../ui/icon.tsx";
import { searchFormId } from "./search-regions.ts";
import { suggestInBrowser, suggestionsFrom } from "./suggest-in-browser.tsx";

/** The search field of the front page, in the element in which its script starts. */
export const FrontSearchBox = () => (
	<div id={searchFormId}>
		<FrontSearch />
	</div>
);

/** A suggestion leads to the company; without JavaScript, the form leads to the results. */
export function FrontSearch({ onChoose = () => {} }: { onChoose?: (siren: string) => void }) {
	return (
		<search>
			<form action={href("/recherche")} className="mt-6 flex max-w-reading flex-col gap-3 max-sm:relative sm:flex-row sm:items-end">
				<Combobox
					name="q"
					type="search"
					label="SIREN, SIRET ou nom d'entreprise"
					hint={
						<>
							Par exemple <span className="figures">552 032 534</span>, <span className="figures">552 032 534 00703</span> ou Danone.
						</>
					}
					required
					pattern=".*\S.*"
					title="Un numéro ou un nom"
					enterKeyHint="search"
					minLength={suggestionsFrom}
					search={suggestInBrowser}
					onChoose={({ id }) => onChoose(id)}
					// on a phone the suggestions stand below the button
					className="min-w-0 flex-1 max-sm:static max-sm:[&>[role=listbox]]:top-full [&_input]:min-h-13 [&_input]:text-lg"
				/>
				<button type="submit" className={button("primary", "min-h-13 px-6")}>
					<Icon name="search" />
					Rechercher
				</button>
			</form>
		</search>
	);
}
