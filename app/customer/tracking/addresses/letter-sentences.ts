import { typedFromEntries } from "../../../../server/types/objects.ts";
import { type LetterField, letterFields, type OrderErrors, type OrderValues } from "../../../checkout/form/order-form.ts";
import type { LetterAddress } from "../../../orders/letter-address.ts";
import type { LetterCorrectionOutcome } from "./correct-letter.server.ts";

export type LetterValues = Pick<OrderValues, LetterField>;

type LetterRefusal = Extract<LetterCorrectionOutcome, { ok: false }>;
type ShownCode = Exclude<LetterRefusal["code"], "no-access">;

/** A refused correction of a letter's address: the errors of its fields or one sentence, and what was typed. */
export interface RefusedLetter {
	letterErrors: OrderErrors;
	letterRefused: string | null;
	letter: LetterValues;
}

const sentences: Record<Exclude<ShownCode, "invalid">, string> = {
	"too-late": "Il est trop tard pour corriger l’adresse\u00a0: votre courrier est posté, ou votre commande est terminée. Écrivez-nous.",
	printed: "Votre courrier vient d’être imprimé\u00a0: son adresse ne se corrige plus ici. Écrivez-nous sans attendre.",
	unchanged: "C’est déjà l’adresse de votre courrier.",
	limited: "Trop de corrections aujourd’hui. Écrivez-nous\u00a0: nous corrigerons l’adresse.",
};

/** The answer to a customer whose correction is refused. */
export const describeRefusedLetter = (code: ShownCode, errors: OrderErrors, letter: LetterValues): RefusedLetter => ({
	letter,
	letterErrors: errors,
	letterRefused: code === "invalid" ? null : sentences[code],
});

/** The address of a letter as its form has it. */
export const toLetterValues = ({ name, complement, address, postalCode, city }: LetterAddress): LetterValues => ({
	deliveryName: name,
	deliveryComplement: complement ?? "",
	deliveryAddress: address,
	deliveryPostalCode: postalCode,
	deliveryCity: city,
});

/** The fields of the form, of a length that the page can show again. */
export const toTypedLetter = (values: OrderValues): LetterValues =>
	typedFromEntries(letterFields.map((field) => [field, values[field].slice(0, 300)] as const));
