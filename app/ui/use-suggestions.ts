import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/** The milliseconds without a key stroke after which suggestions are requested. */
const pause = 80;

export interface SuggestionSource<Option> {
	/** Called while the user types; only its latest answer is shown. */
	search: (text: string, signal: AbortSignal) => Promise<Option[]>;
	/** Suggestions begin at this many characters. */
	minLength: number;
	onChoose: (option: Option) => void;
}

/** The list of suggestions below a text field, and the option that the keyboard is on: -1 for none. */
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
		setActive(-1); // the old list stays until the new one comes, but Enter is for the text typed now
		await new Promise((resolve) => setTimeout(resolve, pause));
		const found = signal.aborted ? [] : await search(text, signal).catch(() => []); // without an answer there is no list
		if (signal.aborted) return;
		setOptions(found);
		setActive(-1);
	};
	const handleKey = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return; // the key is for the input method
		const option = options[active];
		if (event.key === "Enter" && !option) return close(); // the form is sent: no list over its results
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

/** @returns the option that a key leads to, or null; Home and End move the caret of the field until an option is active. */
function nextActive(key: string, active: number, count: number): number | null {
	if (key === "ArrowDown") return (active + 1) % count;
	if (key === "ArrowUp") return (active <= 0 ? count : active) - 1;
	if (active < 0) return null;
	if (key === "Home") return 0;
	return key === "End" ? count - 1 : null;
}
