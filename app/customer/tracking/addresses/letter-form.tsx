import { Form, href } from "react-router";
import { LetterFields } from "../../../checkout/form/fields/letter-fields.tsx";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { Refusal } from "../refusal.tsx";
import type { LetterValues, RefusedLetter } from "./letter-sentences.ts";

export interface LetterFormProps {
	/** Of the order. */
	number: string;
	/** Where the letter goes by now; `printed`: its envelope is ready. */
	letterTo: LetterValues | "printed";
	refused: RefusedLetter | null;
}

/** « Corriger l’adresse de livraison », until the letter is printed (`intent=correct-letter`). */
export function LetterForm({ number, letterTo, refused }: LetterFormProps) {
	if (letterTo === "printed")
		return (
			<p className="mt-4 text-sm text-soft print:hidden">
				Votre courrier est imprimé{"\u00a0"}: son adresse ne se corrige plus ici. Si elle est fausse,{" "}
				<a className="link" href={href("/suivi/:number/message", { number })}>
					écrivez-nous
				</a>{" "}
				sans attendre.
			</p>
		);
	return (
		// folded again once corrected
		<Disclosure
			key={JSON.stringify(letterTo)}
			title="Corriger l’adresse de livraison"
			open={refused !== null}
			className="mt-6 border-y print:hidden"
		>
			<Form method="post" reloadDocument className="pb-5" noValidate>
				<LetterFields
					values={refused?.letter ?? letterTo}
					errors={refused?.letterErrors ?? {}}
					hint="Vous pouvez corriger cette adresse jusqu’à l’impression du courrier. L’adresse de la facture ne change pas."
				/>
				<button type="submit" name="intent" value="correct-letter" className={button("secondary", "mt-5")}>
					Corriger
				</button>
			</Form>
		</Disclosure>
	);
}

/** Why a correction was refused, at the top of the page. */
export function RefusedLetterSummary({ refused: { letterErrors, letterRefused } }: { refused: RefusedLetter }) {
	if (letterRefused !== null) return <Refusal sentence={letterRefused} />;
	return <ErrorSummary errors={Object.entries(letterErrors).map(([field, message]) => ({ field, message }))} />;
}
