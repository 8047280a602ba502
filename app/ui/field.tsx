import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface Frame {
	/** Also the id of the control, unless one is given. */
	name: string;
	id?: string;
	label: ReactNode;
	/** What to enter. */
	hint?: ReactNode;
	/** The problem and its solution. */
	error?: ReactNode;
	/** Marks the field « facultatif ». */
	optional?: boolean;
}

/** The class of an `<input>` or a `<textarea>`. */
export const inputClass =
	"block w-full min-h-11 rounded-md border border-edge bg-sheet px-3 py-2 text-ink placeholder:text-soft hover:border-ink aria-invalid:border-2 aria-invalid:border-failed disabled:bg-shade";

/** The class of a `<select>`. */
export const selectClass = `${inputClass} appearance-none pr-10 select-arrow`;

/** A line of text. A pasted number keeps its spaces, which the server ignores. */
export function TextField({ label, hint, error, optional, className, ...input }: Frame & ComponentProps<"input">) {
	const frame = { name: input.name, id: input.id, label, hint, error, optional };
	return (
		<FieldFrame {...frame} className={className}>
			<input type="text" className={`${inputClass} read-only:bg-shade`} {...input} {...fieldAriaProps(frame)} />
		</FieldFrame>
	);
}

/** Several lines of text. */
export function TextAreaField({ label, hint, error, optional, className, ...area }: Frame & ComponentProps<"textarea">) {
	const frame = { name: area.name, id: area.id, label, hint, error, optional };
	return (
		<FieldFrame {...frame} className={className}>
			<textarea rows={7} className={`${inputClass} read-only:bg-shade`} {...area} {...fieldAriaProps(frame)} />
		</FieldFrame>
	);
}

/** A select list. Its children are the options. */
export function SelectField({ label, hint, error, optional, className, children, ...select }: Frame & ComponentProps<"select">) {
	const frame = { name: select.name, id: select.id, label, hint, error, optional };
	return (
		<FieldFrame {...frame} className={className}>
			<select className={selectClass} {...select} {...fieldAriaProps(frame)}>
				{children}
			</select>
		</FieldFrame>
	);
}

/** A checkbox; the whole line is its click target. */
export function CheckboxField({ label, hint, error, optional, className = "", ...input }: Frame & ComponentProps<"input">) {
	const frame = { name: input.name, id: input.id, label, hint, error, optional };
	return (
		<div className={className}>
			<div className="flex items-start">
				<input type="checkbox" className="check mt-2.5" {...input} {...fieldAriaProps(frame)} />
				{/* without a gap to its box, and 44 px high: an easy target */}
				<label htmlFor={getControlId(frame)} className="min-h-11 py-2 pl-3">
					{label}
					{optional && <Optional />}
				</label>
			</div>
			<FieldMessages {...frame} indent />
		</div>
	);
}

/** The label, hint and error around a control; the control gets `fieldAriaProps(frame)`. */
export function FieldFrame({ className = "", children, ...frame }: Frame & { className?: string | undefined; children: ReactNode }) {
	return (
		<div className={className}>
			<label htmlFor={getControlId(frame)} className="mb-1 block font-semibold">
				{frame.label}
				{frame.optional && <Optional />}
			</label>
			<FieldMessages {...frame} />
			{children}
		</div>
	);
}

/** The attributes that link a control to its label, hint and error. */
export function fieldAriaProps(frame: Frame) {
	const id = getControlId(frame);
	const described = [frame.hint && `${id}-hint`, frame.error && `${id}-error`].filter(Boolean).join(" ");
	return { id, "aria-describedby": described || undefined, "aria-invalid": frame.error ? true : undefined };
}

const getControlId = ({ id, name }: Frame) => id ?? name;

/** The hint and the error of a control. */
export function FieldMessages({ indent, ...frame }: Frame & { indent?: boolean }) {
	const id = getControlId(frame);
	return (
		<>
			{frame.hint && (
				<p id={`${id}-hint`} className={`mb-2 text-sm text-soft ${indent ? "pl-9" : ""}`}>
					{frame.hint}
				</p>
			)}
			{frame.error && (
				<p id={`${id}-error`} className={`mb-2 flex gap-1.5 text-sm font-semibold text-failed ${indent ? "pl-9" : ""}`}>
					<Icon name="alert" className="mt-0.5 size-4.5" />
					{frame.error}
				</p>
			)}
		</>
	);
}

function Optional() {
	return <span className="font-normal text-soft"> (facultatif)</span>;
}

/** An invisible field that only robots fill in; the server then ignores the form. */
export function HoneypotField() {
	return (
		<div hidden>
			<TextField name="website" label="Laissez ce champ vide" tabIndex={-1} autoComplete="off" />
		</div>
	);
}
