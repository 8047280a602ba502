import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { TextField } from "./field.tsx";

interface Option {
	id: string;
	label: string;
	detail: string;
}

interface ComboboxProps extends ComponentProps<typeof TextField> {
	/** Asked as one types; its last answer is shown. */
	search: (text: string, signal: AbortSignal) => Promise<Option[]>;
	/** Suggestions begin at this many characters. */
	minLength: number;
	onChoose: (option: Option) => void;
}

/** A text field that suggests (WAI-ARIA combobox with a list): arrows, Enter, Escape, or a click. */
export function Combobox({ search, minLength, onChoose, ...field }: ComboboxProps) {
	const [options, setOptions] = useState<Option[]>([]);
	const [active, setActive] = useState(-1);
	const asking = useRef<AbortController>(null);
	const list = useId();
	const open = options.length > 0;
	useEffect(() => () => asking.current?.abort(), []);

	const close = () => {
		setOptions([]);
		setActive(-1);
	};
	const choose = (option: Option) => {
		asking.current?.abort();
		close();
		onChoose(option);
	};
	const type = async (text: string) => {
		asking.current?.abort();
		if (text.trim().length < minLength) return close();
		const mine = new AbortController();
		asking.current = mine;
		const found = await search(text, mine.signal).catch(() => []); // a failed suggestion says nothing
		if (mine.signal.aborted) return;
		setOptions(found);
		setActive(-1);
	};
	const press = (event: KeyboardEvent) => {
		if (!open) return;
		const chosen = options[active];
		if (event.key === "ArrowDown") setActive((active + 1) % options.length);
		else if (event.key === "ArrowUp") setActive((active <= 0 ? options.length : active) - 1);
		else if (event.key === "Escape") close();
		else if (event.key === "Enter" && chosen) choose(chosen);
		else return;
		event.preventDefault();
	};

	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: only notices that the keyboard left field and list
		<div className="relative" onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}>
			<TextField
				{...field}
				role="combobox"
				autoComplete="off"
				aria-autocomplete="list"
				aria-expanded={open}
				aria-controls={open ? list : undefined}
				aria-activedescendant={open && active >= 0 ? `${list}-${active}` : undefined}
				onChange={(event) => type(event.currentTarget.value)}
				onKeyDown={press}
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
							className={`cursor-pointer px-3 py-2 ${index === active ? "bg-shade" : ""}`}
							onMouseDown={(event) => event.preventDefault()}
							onMouseEnter={() => setActive(index)}
							onClick={() => choose(option)}
							onKeyDown={press}
						>
							<span className="block font-semibold">{option.label}</span>
							<span className="figures block text-sm text-soft">{option.detail}</span>
						</div>
					))}
				</div>
			)}
		</div>
	);
}
