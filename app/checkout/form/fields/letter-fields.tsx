import { useState } from "react";
import { foldLine, lineLength } from "../../../orders/letter-label.ts";
import { TextField } from "../../../ui/field.tsx";
import type { LetterField, OrderErrors, OrderField, OrderValues } from "../order-form.ts";
import { AddressFields } from "./address-fields.tsx";

interface LetterFieldsProps {
	values: Pick<OrderValues, LetterField>;
	errors: OrderErrors;
	/** Of the address. */
	hint: string;
	/** Called when the city has been filled in. */
	onCity?: (field: OrderField) => void;
}

/** Recipient and address of a letter, as its envelope has them. */
export function LetterFields({ values, errors, hint, onCity }: LetterFieldsProps) {
	return (
		<>
			<EnvelopeField
				name="deliveryName"
				label="À l’attention de"
				hint={`Le nom écrit sur l’enveloppe, ${lineLength} caractères par ligne. Si vous laissez ce champ vide, c’est le vôtre.`}
				defaultValue={values.deliveryName}
				error={errors.deliveryName}
				autoComplete="shipping name"
				className="mb-5"
			/>
			<AddressFields kind="delivery" values={values} errors={errors} hint={hint} onCity={onCity}>
				<EnvelopeField
					name="deliveryComplement"
					label={"Complément\u00a0: bâtiment, étage, service"}
					defaultValue={values.deliveryComplement}
					error={errors.deliveryComplement}
					autoComplete="shipping address-line2"
					className="col-span-2"
				/>
			</AddressFields>
		</>
	);
}

interface EnvelopeFieldProps {
	name: LetterField;
	label: string;
	hint?: string;
	defaultValue: string;
	error: string | undefined;
	autoComplete: string;
	className: string;
}

/** An optional text for the envelope, which folds it and says so once it is longer than a line. */
function EnvelopeField({ hint, defaultValue, ...field }: EnvelopeFieldProps) {
	const [text, setText] = useState(defaultValue);
	const lines = foldLine(text).length;
	const folded = lines > 1 ? `${text.trim().length} caractères\u00a0: il prend ${lines} lignes de l’enveloppe.` : "";
	return (
		<TextField
			{...field}
			optional
			hint={[hint, folded].filter(Boolean).join(" ")}
			defaultValue={defaultValue}
			onChange={({ currentTarget }) => setText(currentTarget.value)}
		/>
	);
}
