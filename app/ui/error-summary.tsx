import type { MouseEvent } from "react";
import { Focused } from "./focused.tsx";

/** An error, and the id of its field. */
export interface FieldError {
	field: string;
	message: string;
}

/** The errors of a form, above it; takes the focus when it appears, with or without JavaScript. */
export function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
	if (errors.length === 0) return null;
	return (
		<Focused
			// other errors take the focus again
			key={errors.map(({ message }) => message).join()}
			role="alert"
			aria-labelledby="error-summary"
			className="mb-8 border-l-4 border-failed bg-sheet p-5"
		>
			<h2 id="error-summary" className="text-lg">
				{errors.length === 1 ? "Un champ à corriger" : `${errors.length} champs à corriger`}
			</h2>
			<ul className="mt-2">
				{errors.map(({ field, message }) => (
					<li key={field}>
						<a href={`#${field}`} onClick={focusTarget} className="link inline-flex min-h-11 items-center text-failed">
							{message}
						</a>
					</li>
				))}
			</ul>
		</Focused>
	);
}

/** A navigation, even within the page, would end the answer with its errors and what was typed: with scripts, the link only moves the focus. */
export function focusTarget(event: MouseEvent<HTMLAnchorElement>): void {
	const target = document.getElementById(event.currentTarget.hash.slice(1));
	target?.focus();
	if (document.activeElement === target) event.preventDefault();
}
