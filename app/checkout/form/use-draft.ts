import { type RefObject, useEffect, useRef, useState } from "react";
import type { CompanyPreview } from "../../companies/company.ts";
import { type Draft, deleteDraft, loadDraft } from "./draft.ts";
import type { FormFunctions } from "./use-form-code.ts";

/** Milliseconds from the last edit to the save, and for which the hint stays (docs/rules.md, R13). */
const saveDelay = 2000;
const hintDuration = 2000;

/**
 * Saves a draft of the form while it is filled in, and offers the draft of an earlier visit.
 * @param functions null until a field is used. @param isStored the shop stores this form (docs/rules.md, R215): it has no draft.
 * @returns `offered`: a draft to restore, or null; `saved`: whether to show the hint; `changed`: call it after each edit; `save`: saves
 * at once, before the page is left.
 */
export function useDraft(
	form: RefObject<HTMLFormElement | null>,
	functions: RefObject<FormFunctions | null>,
	{ company: chosen, isStored }: { company: CompanyPreview | null; isStored: boolean },
) {
	const [offered, setOffered] = useState<Draft | null>(null);
	const [saved, setSaved] = useState(false);
	const timers = useRef<{ save?: number; hint?: number }>({});
	const company = useRef(chosen);
	company.current = chosen;

	useEffect(() => {
		if (!isStored) setOffered(loadDraft());
		const running = timers.current;
		return () => {
			window.clearTimeout(running.save);
			window.clearTimeout(running.hint);
		};
	}, [isStored]);

	const save = () => {
		window.clearTimeout(timers.current.save);
		if (isStored || !form.current || !functions.current) return;
		const { saveDraft, readOrderValues } = functions.current;
		if (!saveDraft(readOrderValues(new FormData(form.current)), company.current)) return;
		setSaved(true);
		window.clearTimeout(timers.current.hint);
		timers.current.hint = window.setTimeout(() => setSaved(false), hintDuration);
	};

	return {
		offered,
		saved,
		save,
		changed() {
			window.clearTimeout(timers.current.save);
			timers.current.save = window.setTimeout(save, saveDelay);
		},
		delete() {
			deleteDraft();
			setOffered(null);
		},
	};
}
