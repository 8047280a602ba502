import { type ComponentProps, useId, useRef, useState } from "react";
import { button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { useFormAction } from "./use-form-action.ts";

interface EmailFieldProps extends ComponentProps<typeof TextField> {
	name: "email" | "deliveryEmail";
	defaultValue: string;
	/** What was probably meant by `defaultValue`. */
	suggestion: string | undefined;
}

/** An e-mail address. A domain that looks mistyped is questioned beside the field, and never refused. */
export function EmailField({ suggestion, className, onChange, ...field }: EmailFieldProps) {
	const input = useRef<HTMLInputElement>(null);
	const hydrated = useHydrated();
	const formAction = useFormAction(field.name);
	const questionId = useId();
	const [question, setQuestion] = useState(suggestion ? { typed: field.defaultValue, meant: suggestion } : null);
	const ask = async (typed: string) => {
		// the list of mail services arrives when it is first of use
		const meant = await import("../../../ui/forms/suggest-email.ts").then(
			({ suggestEmail }) => suggestEmail(typed),
			() => null,
		);
		if (input.current?.value.trim() === typed) setQuestion(meant ? { typed, meant } : null);
	};
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
