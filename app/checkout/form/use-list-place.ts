import { type RefObject, type SubmitEvent, useRef } from "react";
import { useLocation, useSubmit } from "react-router";
import { entryId, linesField, readyLinesId } from "./lines/line-fields.ts";

/** Where its customer changed a list. The page of the changed one is drawn anew, and goes on there. */
export interface ListPlace {
	/** The id of what takes the focus. */
	focus: string;
	/** The lines that were there when others were added. */
	known: number;
	/** The good lines are not folded. */
	isOpen: boolean;
}

/** @returns the place of the last change; null: the next page starts as usual. It outlives the form of one page. */
export const useListPlace = (): RefObject<ListPlace | null> => useRef(null);

/**
 * Lets the page stay where it is when a button adds or removes lines. Without JavaScript, the button's address has an anchor.
 * @returns a function that sends the form of such a button itself, and otherwise does nothing.
 */
export function useListButtons(place: RefObject<ListPlace | null>): (event: SubmitEvent<HTMLFormElement>) => void {
	const { pathname, search } = useLocation();
	const send = useSubmit();
	return (event) => {
		const { submitter, currentTarget: form } = event;
		if (!(submitter instanceof HTMLButtonElement) || !/^(remove|update)/.test(submitter.value)) return;
		event.preventDefault();
		const fields = new FormData(form);
		const isAdding = fields.get(entryId);
		const fold = document.getElementById(readyLinesId);
		place.current = {
			focus: isAdding ? entryId : (submitter.hidden && document.activeElement?.id) || new URL(submitter.formAction).hash.slice(1),
			known: Number(fields.get(linesField)),
			isOpen: !(fold instanceof HTMLDetailsElement) || fold.open,
		};
		send(submitter, { action: pathname + search, preventScrollReset: true });
	};
}
