import { type RefObject, useEffect, useRef, useState } from "react";
import type { CompanyPreview } from "../companies/company.ts";
import { type Draft, discardDraft, loadDraft, saveDraft } from "./draft.ts";
import { readOrderValues } from "./order-form.ts";

/** After the last change, and how long the hint stays, in milliseconds (docs/rules.md, R13). */
const saveDelay = 2000;
const hintDuration = 2000;

/**
 * Saves a form as it is filled in, and offers what an earlier visit left.
 * @returns `offered`: a draft to restore, or null; `saved`: whether to show the hint; `changed`: to be called at each edit;
 * `save`: at once, before the page is left.
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, chosen: CompanyPreview | null) {
	const [offered, setOffered] = useState<Draft | null>(null);
	const [saved, setSaved] = useState(false);
	const timers = useRef<{ save?: number; hint?: number }>({});
	const company = useRef(chosen);
	company.current = chosen;

	useEffect(() => {
		setOffered(loadDraft());
		const running = timers.current;
		return () => {
			window.clearTimeout(running.save);
			window.clearTimeout(running.hint);
		};
	}, []);

	const save = () => {
		window.clearTimeout(timers.current.save);
		if (!form.current || !saveDraft(readOrderValues(new FormData(form.current)), company.current)) return;
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
		discard() {
			discardDraft();
			setOffered(null);
		},
	};
}
