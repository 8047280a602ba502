import { describe, expect, test } from "vitest";
import { fillReply, type ReplyValues, toReplyBlocks } from "./fill-reply.ts";
import { replyTemplates } from "./reply-templates.ts";

const values: ReplyValues = {
	prenom: "Ada",
	nom: "Lovelace",
	numero: "KB-7F3K-92QD",
	societe: "DANONE",
	siren: "552032534",
	service: "Express",
	echeance: "lundi 23 novembre 2026 à 10 h",
	montant: "59,00 €",
	suivi: "https://boutique.example/suivi/KB-7F3K-92QD",
};
const empty = Object.fromEntries(Object.keys(values).map((name) => [name, ""])) as Record<keyof ReplyValues, string>;

describe("the fields of a reply", () => {
	test("are filled in, also twice", () => {
		expect(fillReply(" Bonjour {prenom},\n{prenom}, {numero}. ", values)).toEqual({ ok: true, text: "Bonjour Ada,\nAda, KB-7F3K-92QD." });
	});

	test("that are unknown are refused by name", () => {
		const refused = fillReply("{prénom} et {toString}", values);
		expect(refused).toEqual({
			ok: false,
			sentence: "{prénom}, {toString} ne sont pas des champs\u00a0: corrigez ou écrivez la valeur vous-même.",
		});
	});

	test("one that is unknown is refused in the singular", () => {
		expect(fillReply("Bonjour {prenom} {x}, {x}", values)).toEqual({
			ok: false,
			sentence: "{x} n’est pas un champ\u00a0: corrigez ou écrivez la valeur vous-même.",
		});
	});

	test.each([
		["Bonjour {prenom}, {prenom}", "{prenom} est vide"],
		["Bonjour {prenom} {nom},", "{prenom}, {nom} sont vides"],
	])("that are empty are refused: « %s »", (text, begin) => {
		const sentence = `${begin} pour ce message\u00a0: écrivez la valeur vous-même, ou retirez la phrase.`;
		expect(fillReply(text, empty)).toEqual({ ok: false, sentence });
		expect(fillReply(text, { ...empty, prenom: "Ada", nom: "Lovelace" }).ok).toBe(true);
	});

	test("have at most sixty characters on one line", () => {
		for (const text of [`{${"x".repeat(61)}}`, "{pre\nnom}", "{pre{nom"]) expect(fillReply(text, values)).toEqual({ ok: true, text });
		expect(fillReply(`{${"x".repeat(60)}}`, values).ok).toBe(false);
		expect(fillReply("{}", values).ok).toBe(false);
	});

	test("a value that looks like a field is not filled in again", () => {
		expect(fillReply("{nom}", { ...values, nom: "{prenom}" })).toEqual({ ok: true, text: "{prenom}" });
	});

	test("a reply is neither empty nor endless", () => {
		expect(fillReply("  \n", values)).toEqual({ ok: false, sentence: "Écrivez votre réponse." });
		expect(fillReply("x".repeat(10_001), values).ok).toBe(false);
		expect(fillReply(` ${"x".repeat(10_000)} `, values).ok).toBe(true);
	});
});

test("every template can be filled in", () => {
	for (const { id, text } of replyTemplates) expect(fillReply(text, values).ok, id).toBe(true);
	expect(new Set(replyTemplates.map(({ id }) => id)).size).toBe(replyTemplates.length);
});

test("lines become paragraphs, and lines with a dash a list", () => {
	expect(toReplyBlocks("Bonjour,\n\n- un\n- deux\nFin.")).toEqual(["Bonjour,", { list: ["un", "deux"], numbered: false }, "Fin."]);
	expect(toReplyBlocks("-un\n  - deux  \n• trois\n\n-  \nFin.\n- quatre")).toEqual([
		"-un",
		{ list: ["deux", "trois"], numbered: false },
		"-",
		"Fin.",
		{ list: ["quatre"], numbered: false },
	]);
});
