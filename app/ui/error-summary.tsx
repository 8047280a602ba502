import { useEffect, useRef } from "react";

/** One complaint, and the id of the field it is about. */
export interface FieldError {
	field: string;
	message: string;
}

/** What a form still wants, above the form; takes the focus when it appears, with or without JavaScript. */
export function ErrorSummary({ errors }: { errors: readonly FieldError[] }) {
	const box = useRef<HTMLDivElement>(null);
	const said = errors.map(({ message }) => message).join();
	useEffect(() => {
		if (said !== "") box.current?.focus();
	}, [said]);
	if (errors.length === 0) return null;
	return (
		<div
			ref={box}
			tabIndex={-1}
			// biome-ignore lint/a11y/noAutofocus: an answer that refuses a form starts by saying why
			autoFocus
			role="alert"
			aria-labelledby="error-summary"
			className="mb-8 border-l-4 border-failed bg-sheet p-5"
		>
			<h2 id="error-summary" className="text-lg">
				{errors.length === 1 ? "Un point est à corriger" : `${errors.length} points sont à corriger`}
			</h2>
			<ul className="mt-2">
				{errors.map(({ field, message }) => (
					<li key={field}>
						<a href={`#${field}`} className="link inline-flex min-h-11 items-center text-failed">
							{message}
						</a>
					</li>
				))}
			</ul>
		</div>
	);
}
