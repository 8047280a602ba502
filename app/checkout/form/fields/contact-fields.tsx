import { type ComponentProps, useEffect, useId, useRef, useState } from "react";
import { button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import type { OrderErrors, OrderValues } from "../order-form.ts";
import { OptionalFields } from "./optional-fields.tsx";
import { useFormAction } from "./use-form-action.ts";

interface ContactFieldsProps {
	values: OrderValues;
	errors: OrderErrors;
	/** What was probably meant by an address whose domain looks mistyped. */
	suggestions: OrderErrors;
}

export function ContactFields({ values, errors, suggestions }: ContactFieldsProps) {
	return (
		<div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:gap-x-5">
			<EmailField
				name="email"
				label="Adresse e-mail"
				hint="Pour la confirmation, la facture et le suivi."
				defaultValue={values.email}
				error={errors.email}
				suggestion={suggestions.email}
				autoComplete="email"
				className="col-span-2"
			/>
			<TextField name="firstName" label="Prénom" defaultValue={values.firstName} error={errors.firstName} autoComplete="given-name" />
			<TextField name="lastName" label="Nom" defaultValue={values.lastName} error={errors.lastName} autoComplete="family-name" />
			<div className="col-span-2 -mt-2">
				<OptionalFields label="Ajouter un téléphone" needed={Boolean(values.phone || errors.phone)}>
					<TextField
						name="phone"
						type="tel"
						label="Téléphone"
						hint="Pour vous joindre en cas de question sur votre commande."
						optional
						defaultValue={values.phone}
						error={errors.phone}
						autoComplete="tel"
					/>
				</OptionalFields>
				<div className="for-pdf">
					<OptionalFields
						label={
							<>
								Envoyer aussi l’extrait à une autre adresse <span className="whitespace-nowrap">e-mail</span>
							</>
						}
						needed={Boolean(values.deliveryEmail || errors.deliveryEmail)}
					>
						<EmailField
							name="deliveryEmail"
							label="Autre adresse e-mail"
							hint="Par exemple celle de votre client. Nous lui envoyons l’extrait, sans prix ni facture."
							optional
							defaultValue={values.deliveryEmail}
							error={errors.deliveryEmail}
							suggestion={suggestions.deliveryEmail}
							autoComplete="off"
						/>
					</OptionalFields>
				</div>
			</div>
		</div>
	);
}

interface EmailFieldProps extends ComponentProps<typeof TextField> {
	name: "email" | "deliveryEmail";
	defaultValue: string;
	/** What was probably meant by `defaultValue`. */
	suggestion: string | undefined;
}

/** An e-mail address. A domain that looks mistyped is questioned beside the field, and never refused. */
function EmailField({ suggestion, className, onChange, ...field }: EmailFieldProps) {
	const input = useRef<HTMLInputElement>(null);
	const hydrated = useHydrated();
	const formAction = useFormAction(field.name);
	const questionId = useId();
	const [question, setQuestion] = useState(suggestion ? { typed: field.defaultValue, meant: suggestion } : null);
	const ask = async (typed: string) => {
		// the list of mail services arrives when it is first of use
		const meant = await import("../../../mail/suggest-email.ts").then(
			({ suggestEmail }) => suggestEmail(typed),
			() => null,
		);
		if (input.current?.value.trim() === typed) setQuestion(meant ? { typed, meant } : null);
	};
	// biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed and left before this code arrived
	useEffect(() => {
		const typed = input.current?.value.trim();
		if (typed && typed !== field.defaultValue && document.activeElement !== input.current) ask(typed);
	}, []);
	const correct = () => {
		if (!input.current || !question) return;
		input.current.value = question.meant;
		input.current.dispatchEvent(new Event("input", { bubbles: true }));
		input.current.focus();
		setQuestion(null);
	};
	return (
		<div className={className}>
			<TextField
				ref={input}
				type="email"
				{...field}
				onChange={(event) => {
					onChange?.(event);
					setQuestion(null);
				}}
				onBlur={({ currentTarget }) => ask(currentTarget.value.trim())}
			/>
			<div role="status" id={questionId}>
				{question && (
					<p className="mt-2 flex flex-wrap items-center gap-x-3 border-l-2 border-waiting pl-3">
						{/* the server has asked about this address, and stops the form no more */}
						{question.typed === field.defaultValue && suggestion && <input type="hidden" name="checkedEmail" value={question.typed} />}
						<span>
							Vouliez-vous dire <strong className="break-all">{question.meant}</strong>&nbsp;?
						</span>
						<button
							name="intent"
							value={`correct-email:${field.name}`}
							formNoValidate
							formAction={formAction}
							type={hydrated ? "button" : "submit"}
							className={button("quiet")}
							onClick={hydrated ? correct : undefined}
						>
							Corriger l’adresse
						</button>
					</p>
				)}
			</div>
		</div>
	);
}
