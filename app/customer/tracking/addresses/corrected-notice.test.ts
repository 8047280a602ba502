import { expect, test } from "vitest";
import { type CorrectedAddresses, describeCorrected, describeRefusedCorrection, toCorrectedUrl } from "./address-sentences.ts";

const now = new Date("2026-11-23T08:02:00Z");
const event = (created_at: string, event_type = "address_corrected") => ({ event_type, created_at });
const read = (
	corrected: CorrectedAddresses | null,
	{
		sentTo = ["ada@example.fr"],
		letter = ["Greffe", "1 quai de la Corse", "75004 Paris"],
		events = [event("2026-11-23T08:00:00.000Z")],
		several = false,
	} = {},
) => {
	const page = "https://shop.example/suivi/KB-2222-2222";
	const request = new Request(corrected === null ? page : toCorrectedUrl(page, corrected));
	const notice = describeCorrected(request, { events, sentTo, letter, several, now });
	return notice && [notice.title, ...notice.sentences].map((sentence) => sentence.replaceAll("\u00a0", " "));
};

const toAda = "La confirmation vient de partir à ada@example.fr. L’ancienne adresse n’ouvre plus la commande.";

const title = "Adresse corrigée.";

test("the notice says what was corrected, for two minutes", () => {
	expect(read("email")).toEqual([title, toAda]);
	expect(read("email", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual([title, toAda]);
	expect(read("recipient", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual([
		title,
		"L’extrait est envoyé aussi à bob@example.fr.",
	]);
	expect(read("recipient")).toEqual([title, "L’extrait n’est envoyé qu’à ada@example.fr."]);
	expect(read("recipient", { several: true })).toEqual([title, "Les extraits ne sont envoyés qu’à ada@example.fr."]);
	expect(read("recipient", { sentTo: ["ada@example.fr", "bob@example.fr"], several: true })).toEqual([
		title,
		"Les extraits sont envoyés aussi à bob@example.fr.",
	]);
	expect(read("both", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual([
		title,
		toAda,
		"L’extrait est envoyé aussi à bob@example.fr.",
	]);
	const both = ["ada@example.fr", "bob@example.fr"];
	expect(read("resent", { sentTo: both })).toEqual(["Extrait renvoyé.", "Il vient de partir à bob@example.fr."]);
	expect(read("resent", { sentTo: both, several: true })).toEqual(["Extraits renvoyés.", "Ils viennent de partir à bob@example.fr."]);
	expect(read("own", { sentTo: both })).toEqual([
		...["Extrait renvoyé.", "Il vient de partir à bob@example.fr.", "Les prochains e-mails de cette commande iront à cette adresse."],
	]);
	// to the address of the order once more
	expect(read("own")).toEqual(["Extrait renvoyé.", "Il vient de partir à ada@example.fr."]);
	expect(read("letter")).toEqual([title, "Votre courrier partira à : Greffe, 1 quai de la Corse, 75004 Paris."]);
	expect(read(null)).toBeNull();
	for (const events of [[], [event("2026-11-23T07:59:59.999Z")], [event("2026-11-23T08:01:00Z", "completed")]])
		expect(read("email", { events })).toBeNull();
	expect(read("email", { events: [event("2026-11-22T08:00:00Z"), event("2026-11-23T08:01:00Z")] })).toEqual([title, toAda]);
});

test("a refused correction has its sentence at its field, with what was typed", () => {
	const typed = { email: "ada", recipient: "bob" };
	const wrong = { ...typed, correction: "Format d'email invalide" };
	expect(describeRefusedCorrection("invalid-email", typed)).toEqual({ ...wrong, field: "email" });
	expect(describeRefusedCorrection("invalid-recipient", { ...typed, email: "ada@example.fr" })).toEqual({
		...{ ...wrong, email: "ada@example.fr", field: "recipient" },
	});
	const refused = { ...typed, field: null };
	expect(describeRefusedCorrection("unchanged", typed)).toEqual({ ...refused, correction: "Ce sont déjà les adresses de votre commande." });
	expect(describeRefusedCorrection("limited", typed)).toEqual({
		...{ ...refused, correction: "Trop de corrections aujourd’hui. Écrivez-nous\u00a0: nous corrigerons l’adresse." },
	});
	expect(describeRefusedCorrection("too-late", typed).correction).toContain("Il est trop tard pour changer d’adresse");
});
