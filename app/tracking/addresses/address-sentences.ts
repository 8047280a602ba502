import { checkEmail } from "../../mail/email-address.ts";
import type { AddressCorrectionOutcome, Addresses } from "./correct-addresses.server.ts";

type AddressCorrectionRefusal = Exclude<Extract<AddressCorrectionOutcome, { ok: false }>["code"], "no-access">;

/** A refused correction: the sentence, its field if one is wrong, and what was typed. */
export interface RefusedCorrection extends Addresses {
	correction: string;
	field: "email" | "recipient" | null;
}

const sentences: Record<AddressCorrectionRefusal, (typed: Addresses) => string> = {
	"invalid-email": ({ email }) => checkEmail(email) ?? "",
	"invalid-recipient": ({ recipient }) => checkEmail(recipient) ?? "",
	"too-late": () =>
		"Il est trop tard pour changer d’adresse\u00a0: votre commande est livrée ou terminée. Écrivez-nous si vous n’avez rien reçu.",
	unchanged: () => "Ce sont déjà les adresses de votre commande.",
	limited: () => "Trop de corrections aujourd’hui. Écrivez-nous\u00a0: nous corrigerons l’adresse.",
};

/** The answer to a customer whose correction is refused. */
export const describeRefusedCorrection = (code: AddressCorrectionRefusal, typed: Addresses): RefusedCorrection => ({
	...typed,
	correction: sentences[code](typed),
	field: code === "invalid-email" ? "email" : code === "invalid-recipient" ? "recipient" : null,
});
