import { FieldMessages } from "./field.tsx";

interface RadioGroupProps {
	/** Also the id of its first button, which the error summary links to. */
	name: string;
	legend: string;
	hint?: string;
	/** The problem and its solution. */
	error?: string | undefined;
	/** Form value → label. */
	options: Readonly<Record<string, string>>;
	chosen: string | null;
}

/** A few visible choices; each whole line is a click target. */
export function RadioGroup({ name, legend, hint, error, options, chosen }: RadioGroupProps) {
	const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
	return (
		<fieldset aria-describedby={described || undefined}>
			<legend className="mb-1 font-semibold">{legend}</legend>
			<FieldMessages name={name} label={legend} hint={hint} error={error} />
			{Object.entries(options).map(([value, label], index) => (
				<label key={value} className="flex min-h-11 items-start gap-3 py-2">
					<input
						type="radio"
						name={name}
						value={value}
						id={index === 0 ? name : `${name}-${value}`}
						defaultChecked={value === chosen}
						className="radio mt-1"
					/>
					{label}
				</label>
			))}
		</fieldset>
	);
}
