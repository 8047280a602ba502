import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { TextField } from "./field.tsx";
import { useHydrated } from "./use-hydrated.ts";

interface Option {
	id: string;
	label: string;
	detail: ReactNode;
}

interface ComboboxProps<Choice extends Option> extends ComponentProps<typeof TextField> {
	/** Asked as one types; its last answer is shown. */
	search: (text: string, signal: AbortSignal) => Promise<Choice[]>;
	/** Suggestions begin at this many characters. */
	minLength: number;
	onChoose: (option: Choice) => void;
}

/** Milliseconds without a key stroke before suggestions are asked for. */
const pause = 80;

/**
 * A text field that suggests (WAI-ARIA combobox with a list): arrows, Enter, Escape, or a click; an arrow down brings the list back.
 * Without JavaScript it is the field alone.
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
	const [options, setOptions] = useState<Choice[]>([]);
	const [active, setActive] = useState(-1);
	const asking = useRef<AbortController>(null);
	const list = useId();
	const open = options.length > 0;
	const activeId = open && active >= 0 ? `${list}-${active}` : undefined;
	useEffect(() => () => asking.current?.abort(), []);
	useEffect(() => {
		if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
	}, [activeId]);

	const close = () => {
		asking.current?.abort();
		setOptions([]);
		setActive(-1);
	};
	const choose = (option: Choice) => {
		close();
		onChoose(option);
	};
	const suggest = async (text: string) => {
		if (text.trim().length < minLength) return close();
		asking.current?.abort();
		asking.current = new AbortController();
		const { signal } = asking.current;
		setActive(-1); // the list of before stays until there is another, but Enter is for what is typed now
		await new Promise((resolve) => setTimeout(resolve, pause));
		const found = signal.aborted ? [] : await search(text, signal).catch(() => []); // a failed suggestion says nothing
		if (signal.aborted) return;
		setOptions(found);
		setActive(-1);
	};
	const press = (event: KeyboardEvent) => {
		const chosen = options[active];
		if (event.key === "Enter" && !chosen) return close(); // the form is sent: no list over what it finds
		if (!open) return;
		if (event.key === "ArrowDown") setActive((active + 1) % options.length);
		else if (event.key === "ArrowUp") setActive((active <= 0 ? options.length : active) - 1);
		else if (event.key === "Escape") close();
		else if (event.key === "Enter" && chosen) choose(chosen);
		else return;
		event.preventDefault();
	};

	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: only notices that the keyboard left field and list
		<div className={`relative ${className}`} onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}>
			<TextField
				{...field}
				autoComplete="off"
				{...(hydrated && {
					role: "combobox",
					"aria-autocomplete": "list",
					"aria-expanded": open,
					"aria-controls": open ? list : undefined,
					"aria-activedescendant": activeId,
				})}
				onChange={(event) => {
					onChange?.(event);
					suggest(event.currentTarget.value);
				}}
				onKeyDown={(event) => {
					if (!open && event.key === "ArrowDown") suggest(event.currentTarget.value);
					press(event);
				}}
			/>
			<p role="status" className="sr-only">
				{open ? `${options.length} ${options.length === 1 ? "suggestion" : "suggestions"}` : ""}
			</p>
			{open && (
				<div
					id={list}
					role="listbox"
					aria-label="Suggestions"
					className="absolute z-10 mt-1 w-full overflow-hidden rounded-md border border-edge bg-sheet"
				>
					{options.map((option, index) => (
						// the keyboard acts on the field, which points here with aria-activedescendant
						<div
							key={option.id}
							id={`${list}-${index}`}
							role="option"
							tabIndex={-1}
							aria-selected={index === active}
							className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-6 px-3 py-1.5 leading-snug hover:bg-shade aria-selected:bg-shade aria-selected:inset-ring-2 aria-selected:inset-ring-accent"
							onMouseDown={(event) => event.preventDefault()}
							onClick={() => choose(option)}
							onKeyDown={press}
						>
							<span className="basis-full font-semibold sm:basis-auto">{option.label}</span>
							<span className="text-sm text-soft">{option.detail}</span>
						</div>
					))}
				</div>
			)}
		</div>
	);
}
