import { expect, test } from "vitest";
import { describeRefundRequestRefusal } from "./ask-for-refund.server.ts";

test("a refused refund request has a sentence for each reason", () => {
	expect(describeRefundRequestRefusal("too-late", "Faux.")).toBe(
		"Cette commande ne peut plus faire l’objet d’une demande de remboursement.",
	);
	expect(describeRefundRequestRefusal("invalid-message", "")).toBe("Dites-nous ce qui ne va pas avec votre extrait.");
	expect(describeRefundRequestRefusal("invalid-message", "e".repeat(2001))).toBe("Ce champ accepte 2000 caractères au plus");
});
