import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { TextAreaField } from "../../../ui/field.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { useFormAction } from "../fields/use-form-action.ts";
import type { FormPage } from "../form-state.ts";
import type { ListPlace } from "../use-list-place.ts";
import { asksSomething, describeCounts, groupLines, listNextLines } from "./group-lines.ts";
import { entryId, linesField, listTitleId, maxLines, readyLinesId, shownField } from "./line-fields.ts";
import { LineTable } from "./line-table.tsx";

interface ListFieldsProps extends Pick<FormPage, "lines" | "noticeSource" | "shown" | "added" | "errors" | "unseen"> {
	/** Where the customer changed the list before this one. */
	place: RefObject<ListPlace | null>;
}

/** The lines of a form, each with what the register says of it, and the field for further ones. A line that is not ordered can be corrected in place. */
export function ListFields({ place, ...page }: ListFieldsProps) {
	const { lines, noticeSource, added } = page;
	const [kept] = useState(place.current);
	const { open, folded, counts } = groupLines(page);
	const next = listNextLines([...open, ...folded]);
	const action = useFormAction("");
	const table = { errors: page.errors, getAction: (removed: number) => action + (next.get(removed) ?? listTitleId) };
	const hasWrong = lines.some(({ problem }) => problem !== null);
	const entry = useRef<HTMLTextAreaElement>(null);
	// of the added lines, the one that is shown first and asks for something
	const asking = kept?.focus === entryId && open.find((line) => line.place > kept.known && asksSomething(line));
	useFocusInList(place, entry, asking ? `ligne-${asking.place}` : null);
	const change = (label: string) => (
		<button type="submit" name="intent" value="update" formAction={action + listTitleId} className={button("secondary", "my-3")}>
			{label}
		</button>
	);
	return (
		<section className="@container pb-10">
			{/* where all lines are good, their fold says it */}
			<h2 id={listTitleId} tabIndex={-1} className={folded.length > 0 && open.length === 0 ? "sr-only" : "mb-3 text-xl"}>
				{counts}
			</h2>
			<input type="hidden" name={linesField} value={lines.length} />
			<input type="hidden" name={shownField} value={page.shown} />
			{open.length > 0 && <LineTable {...table} label="Vos entreprises" lines={open} />}
			{hasWrong && change("Mettre à jour la liste")}
			{noticeSource && <p className="border-t border-line py-2 text-sm text-soft">Annonces publiées. {noticeSource}</p>}
			{folded.length > 0 && (
				<Disclosure id={readyLinesId} title={describeCounts(folded.length)} open={kept?.isOpen ?? false} className="border-t">
					<LineTable {...table} label="Lignes à commander" lines={folded} />
				</Disclosure>
			)}
			{(lines.length < maxLines || added !== "") && (
				<Disclosure
					title="Ajouter des entreprises"
					open={lines.length <= 1 || added !== "" || kept?.focus === entryId}
					className="border-y"
				>
					<TextAreaField
						ref={entry}
						name={entryId}
						label="Une entreprise par ligne"
						hint="SIREN, SIRET ou nom, et votre référence après un point-virgule."
						rows={4}
						defaultValue={added}
						spellCheck={false}
						autoComplete="off"
					/>
					{change("Ajouter à la liste")}
				</Disclosure>
			)}
		</section>
	);
}

/**
 * A list that the browser draws anew goes on where its customer was: at the line after a removed one, or in the field for further ones.
 * @param asking the id of an added line that is to be corrected or read first.
 */
function useFocusInList(
	place: RefObject<ListPlace | null>,
	entry: RefObject<HTMLTextAreaElement | null>,
	asking: `ligne-${number}` | null,
): void {
	const { hash } = useLocation();
	// a page from the server is already where its URL leads
	const [drawnHere] = useState(useHydrated());
	useEffect(() => {
		const id = asking ?? place.current?.focus;
		// the field of a company that is known now is no longer there
		const target = id ? (document.getElementById(id) ?? document.getElementById(listTitleId)) : null;
		place.current = null;
		// what stopped the form comes first
		if (target && document.activeElement === document.body)
			(target.querySelector<HTMLElement>(asking ? "[aria-invalid]" : "button") ?? target).focus();
		else if (drawnHere && hash === `#${entryId}`) entry.current?.focus();
	}, [place, entry, asking, drawnHere, hash]);
}
