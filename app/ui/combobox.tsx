import {
	type ComponentProps,
	type KeyboardEvent,
	type ReactNode,
	useEffect,
	useEffectEvent,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { TextField } from "./field.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** The milliseconds without a key stroke after which suggestions are requested. */
const pause = 80;

interface SuggestionSource<Option> {
	/** Called while the user types; only the latest result is shown. */
	search: (text: string, signal: AbortSignal) => Promise<Option[]>;
	/** The minimum number of characters for suggestions. */
	minLength: number;
	onChoose: (option: Option) => void;
}

/** The suggestions below a text field, and the index of the active option: -1 for none. */
function useSuggestions<Option>({ search, minLength, onChoose }: SuggestionSource<Option>) {
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

interface Option {
	id: string;
	label: ReactNode;
	detail: ReactNode;
}

type ComboboxProps<Choice extends Option> = SuggestionSource<Choice> & ComponentProps<typeof TextField>;

/**
 * A text field with suggestions (WAI-ARIA combobox with a listbox): arrows, Home, End, Enter, Escape, or a click; an arrow down opens the
 * list again. Without JavaScript it is the field alone.
 */
export function Combobox<Choice extends Option>({
	search,
	minLength,
	onChoose,
	onChange,
	className = "",
	...field
}: ComboboxProps<Choice>) {
	const hydrated = useHydrated();
	const { options, active, close, choose, suggest, handleKey } = useSuggestions({ search, minLength, onChoose });
	const listId = useId();
	const open = options.length > 0;
	const activeId = open && active >= 0 ? `${listId}-${active}` : undefined;
	const box = useRef<HTMLDivElement>(null);
	const suggestForTyped = useEffectEvent(() => {
		// the user may be typing since before this code was loaded
		const input = box.current?.querySelector("input");
		if (input && input === document.activeElement && input.value !== input.defaultValue) suggest(input.value);
	});
	useLayoutEffect(() => suggestForTyped(), []);
	useEffect(() => {
		if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
	}, [activeId]);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: only detects that the focus left field and list
		<div ref={box} className={`relative ${className}`} onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}>
			<TextField
				{...field}
				autoComplete="off"
				{...(hydrated && {
					role: "combobox",
					"aria-autocomplete": "list",
					"aria-expanded": open,
					"aria-controls": open ? listId : undefined,
					"aria-activedescendant": activeId,
				})}
				onChange={(event) => {
					onChange?.(event);
					suggest(event.currentTarget.value);
				}}
				onKeyDown={(event) => {
					if (!open && event.key === "ArrowDown") suggest(event.currentTarget.value);
					handleKey(event);
				}}
			/>
			<p role="status" className="sr-only">
				{open && `${options.length} suggestion${options.length > 1 ? "s" : ""}`}
			</p>
			{open && (
				<div
					id={listId}
					role="listbox"
					aria-label="Suggestions"
					className="absolute z-10 mt-1 w-full overflow-hidden rounded-md border border-edge bg-sheet"
				>
					{options.map((option, index) => (
						// the keyboard acts on the field, which names the active option with aria-activedescendant
						<div
							key={option.id}
							id={`${listId}-${index}`}
							role="option"
							tabIndex={-1}
							aria-selected={index === active}
							className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-6 px-3 py-1.5 leading-snug hover:bg-shade aria-selected:chosen"
							onMouseDown={(event) => event.preventDefault()}
							onClick={() => choose(option)}
							onKeyDown={handleKey}
						>
							<span className="basis-full font-semibold sm:basis-auto">{option.label}</span>{" "}
							<span className="text-sm text-soft">{option.detail}</span>
						</div>
					))}
				</div>
			)}
		</div>
	);
}
