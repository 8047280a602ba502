import { Form } from "react-router";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FocusedNotice, Refusal } from "../refusal.tsx";
import type { RefusedCorrection } from "./address-sentences.ts";

export interface AddressFormProps {
	/** The addresses of the order. `recipient`: null where a second one cannot be given. */
	addresses: { email: string; recipient: string | null };
	refused: RefusedCorrection | null;
}

/** « Mauvaise adresse ? Corriger », while nothing is delivered (`intent=correct-addresses`). */
export function AddressForm({ addresses, refused }: AddressFormProps) {
	const typed = refused ?? addresses;
	const error = (field: RefusedCorrection["field"]) => (refused?.field === field ? refused.correction : undefined);
	return (
		// folded again once corrected
		<Disclosure
			key={JSON.stringify(addresses)}
			title={"Mauvaise adresse e-mail\u00a0? Corriger"}
			open={refused !== null}
			className="mt-6 border-y print:hidden"
		>
			<Form method="post" reloadDocument className="grid gap-5 pb-5" noValidate>
				<TextField
					name="email"
					type="email"
					label="Votre adresse e-mail"
					hint="Nous y renvoyons la confirmation. L’ancienne adresse ne permettra plus d’ouvrir la commande."
					autoComplete="email"
					defaultValue={typed.email}
					error={error("email")}
				/>
				{addresses.recipient !== null && (
					<TextField
						name="recipient"
						type="email"
						label="Envoyer aussi l’extrait à une autre adresse e-mail"
						optional
						autoComplete="off"
						defaultValue={typed.recipient ?? ""}
						error={error("recipient")}
					/>
				)}
				<div>
					<button type="submit" name="intent" value="correct-addresses" className={button("secondary")}>
						Corriger
					</button>
				</div>
			</Form>
		</Disclosure>
	);
}

/** « Adresse corrigée », with what is sent where. @param sentences null for nothing. */
export function CorrectedNotice({ sentences }: { sentences: readonly string[] | null }) {
	if (sentences === null) return null;
	return (
		<FocusedNotice kind="done" title="Adresse corrigée." message={sentences.join(" ")}>
			{sentences.map((sentence) => (
				<p key={sentence} className="break-words">
					{sentence}
				</p>
			))}
		</FocusedNotice>
	);
}

/** Why a correction was refused, at the top of the page. */
export function RefusedCorrectionSummary({ refused: { field, correction } }: { refused: RefusedCorrection }) {
	return field === null ? <Refusal sentence={correction} /> : <ErrorSummary errors={[{ field, message: correction }]} />;
}
