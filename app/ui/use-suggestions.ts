import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** The milliseconds without a key stroke after which suggestions are requested. */
const pause = 80;

export interface SuggestionSource<Option> {
	/** Called while the user types; only the latest result is shown. */
	search: (text: string, signal: AbortSignal) => Promise<Option[]>;
	/** The minimum number of characters for suggestions. */
	minLength: number;
	onChoose: (option: Option) => void;
}

/** The suggestions below a text field, and the index of the active option: -1 for none. */
export function useSuggestions<Option>({ search, minLength, onChoose }: SuggestionSource<Option>) {
	const [options, setOptions] = useState<Option[]>([]);
	const [active, setActive] = useState(-1);
	const request = useRef<AbortController>(null);
	useEffect(() => () => request.current?.abort(), []);

	const close = () => {
		request.current?.abort();
		setOptions([]);
		setActive(-1);
	};
	const choose = (option: Option) => {
		close();
		onChoose(option);
	};
	const suggest = async (text: string) => {
		if (text.trim().length < minLength) return close();
		request.current?.abort();
		request.current = new AbortController();
		const { signal } = request.current;
		setActive(-1); // the old list stays until the new one arrives, but Enter submits the typed text
		await new Promise((resolve) => setTimeout(resolve, pause));
		const found = signal.aborted ? [] : await search(text, signal).catch(() => []); // no list after a failure
		if (signal.aborted) return;
		setOptions(found);
		setActive(-1);
	};
	const handleKey = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return; // the input method handles the key
		const option = options[active];
		if (event.key === "Enter" && !option) return close(); // Enter submits the form: the list must not cover the results
		if (options.length === 0) return;
		const next = nextActive(event.key, active, options.length);
		if (next !== null) setActive(next);
		else if (event.key === "Escape") close();
		else if (event.key === "Enter" && option) choose(option);
		else return;
		event.preventDefault();
	};
	return { options, active, close, choose, suggest, handleKey };
}

/** @returns the index that a key selects, or null. Home and End move the caret until an option is active. */
function nextActive(key: string, active: number, count: number): number | null {
	if (key === "ArrowDown") return (active + 1) % count;
	if (key === "ArrowUp") return (active <= 0 ? count : active) - 1;
	if (active < 0) return null;
	if (key === "Home") return 0;
	return key === "End" ? count - 1 : null;
}
