import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { TextField } from "./field.tsx";
import { useHydrated } from "./use-hydrated.ts";
import { type SuggestionSource, useSuggestions } from "./use-suggestions.ts";

interface Option {
	id: string;
	label: string;
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
				{open ? `${options.length} ${options.length === 1 ? "suggestion" : "suggestions"}` : ""}
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
							className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-6 px-3 py-1.5 leading-snug hover:bg-shade aria-selected:bg-shade aria-selected:inset-ring-2 aria-selected:inset-ring-accent"
							onMouseDown={(event) => event.preventDefault()}
							onClick={() => choose(option)}
							onKeyDown={handleKey}
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
