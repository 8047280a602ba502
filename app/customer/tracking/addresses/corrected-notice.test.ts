import { expect, test } from "vitest";
import { describeCorrected, describeRefusedCorrection, toCorrectedUrl } from "./address-sentences.ts";

const now = new Date("2026-11-23T08:02:00Z");
const event = (created_at: string, event_type = "address_corrected") => ({ event_type, created_at });
const read = (
	corrected: "email" | "recipient" | "both" | "letter" | null,
	{
		sentTo = ["ada@example.fr"],
		letter = ["Greffe", "1 quai de la Corse", "75004 Paris"],
		events = [event("2026-11-23T08:00:00.000Z")],
		several = false,
	} = {},
) => {
	const page = "https://shop.example/suivi/KB-2222-2222";
	const request = new Request(corrected === null ? page : toCorrectedUrl(page, corrected));
	return (
		describeCorrected(request, { events, sentTo, letter, several, now })?.map((sentence) => sentence.replaceAll("\u00a0", " ")) ?? null
	);
};

const toAda = "La confirmation vient de partir à ada@example.fr. L’ancienne adresse n’ouvre plus la commande.";

test("the notice says what was corrected, for two minutes", () => {
	expect(read("email")).toEqual([toAda]);
	expect(read("email", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual([toAda]);
	expect(read("recipient", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual(["L’extrait est envoyé aussi à bob@example.fr."]);
	expect(read("recipient")).toEqual(["L’extrait n’est envoyé qu’à ada@example.fr."]);
	expect(read("recipient", { several: true })).toEqual(["Les extraits ne sont envoyés qu’à ada@example.fr."]);
	expect(read("recipient", { sentTo: ["ada@example.fr", "bob@example.fr"], several: true })).toEqual([
		"Les extraits sont envoyés aussi à bob@example.fr.",
	]);
	expect(read("both", { sentTo: ["ada@example.fr", "bob@example.fr"] })).toEqual([toAda, "L’extrait est envoyé aussi à bob@example.fr."]);
	expect(read("letter")).toEqual(["Votre courrier partira à : Greffe, 1 quai de la Corse, 75004 Paris."]);
	expect(read(null)).toBeNull();
	for (const events of [[], [event("2026-11-23T07:59:59.999Z")], [event("2026-11-23T08:01:00Z", "completed")]])
		expect(read("email", { events })).toBeNull();
	expect(read("email", { events: [event("2026-11-22T08:00:00Z"), event("2026-11-23T08:01:00Z")] })).toEqual([toAda]);
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
