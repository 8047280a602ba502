import { describe, expect, test } from "vitest";
import { createSigner } from "../../../server/signing.ts";
import { normalizePasscode } from "./passcode.server.ts";
import { describeRefusedShare } from "./share-form-errors.ts";
import { readShareToken, shareUrl } from "./share-links.server.ts";
import { shareRefusals } from "./share-refusals.ts";
import { getShareState, maxCodeFailures } from "./share-rules.ts";

// What customers and readers are told, without a shop.

const typed = { label: "Banque Martin", sender: "Ada Lovelace", purpose: "Ouverture de compte", days: "30", code: "Bleu 42" };

test.each<[Parameters<typeof describeRefusedShare>[0], number, string]>([
	[{ ok: false, code: "missing" }, 409, "Cet extrait ne peut pas être partagé pour le moment."],
	[{ ok: false, code: "full" }, 409, "Vous avez déjà 20\u00a0liens en cours pour cet extrait. Retirez-en un pour en créer un autre."],
	[{ ok: false, code: "busy" }, 429, "Trop de demandes arrivent en même temps. Réessayez dans une minute."],
	[{ ok: false, code: "limited", retryAfter: 60 }, 429, "Trop de liens ont été créés aujourd’hui. Réessayez demain."],
])("a link that is not made (%o) has its status and sentence, and keeps what was typed", (refusal, status, shareRefused) => {
	expect(describeRefusedShare(refusal, typed)).toEqual({ status, refused: { shareErrors: [], shareRefused, typed } });
});

test("the wrong fields of a link have their sentences", () => {
	expect(describeRefusedShare({ ok: false, code: "invalid", fields: ["sender", "purpose", "label", "days", "code"] }, typed)).toEqual({
		status: 400,
		refused: {
			shareErrors: [
				{ field: "sender", message: "Écrivez au plus 60\u00a0caractères, sans adresse web ni e-mail." },
				{ field: "purpose", message: "Écrivez au plus 60\u00a0caractères, sans adresse web ni e-mail." },
				{ field: "label", message: "Écrivez au plus 60\u00a0caractères, sans caractère de contrôle." },
				{ field: "days", message: "Indiquez un nombre de jours, de 1 à 90." },
				{ field: "code", message: "Choisissez un code de 4 à 60\u00a0caractères." },
			],
			shareRefused: null,
			typed,
		},
	});
});

test("each link that opens nothing says why and what to do", () => {
	const told = Object.entries(shareRefusals).map(([code, { status, title, sentence, retryAfter }]) =>
		[code, status, `${title}. ${sentence}`, ...(retryAfter ? [retryAfter] : [])].join(" "),
	);
	const wrong =
		"Ce lien ne fonctionne pas. Il est incomplet ou a été modifié. Copiez-le en entier, ou demandez un nouveau lien à la personne qui vous l’a transmis.";
	const another = "Demandez un nouveau lien à la personne qui vous l’a transmis.";
	expect(told).toEqual([
		`unknown 404 ${wrong}`,
		`tampered 403 ${wrong}`,
		"gone 410 Ce document n’est plus disponible. Il a été supprimé, et le lien ne fonctionne plus.",
		`revoked 410 Ce lien a été retiré. Il n’ouvre plus aucun document. ${another}`,
		`expired 410 Ce lien a expiré. ${another}`,
		`blocked 403 Ce lien est bloqué. Trop de codes erronés ont été saisis. ${another}`,
		"frozen 403 Ce document ne peut pas être ouvert. Adressez-vous à la personne qui vous a transmis le lien.",
		"page-expired 410 Ce téléchargement a expiré. La page du document était ouverte depuis plus d’une heure. Ouvrez de nouveau le lien que vous avez reçu.",
		"lost 503 Document momentanément indisponible. Le fichier que nous conservons est absent, ou n’est plus identique à celui que nous avons livré. Nous ne pouvons donc pas vous le remettre\u00a0: notre équipe est prévenue. 300",
		"unavailable 503 Document momentanément indisponible. Nous n’arrivons pas à ouvrir le document pour le moment. Le lien reste valable\u00a0: réessayez dans quelques minutes. 300",
	]);
});

describe("the state of a link", () => {
	const now = new Date("2026-11-20T09:00:00Z");
	const later = new Date(now.getTime() + 1);
	const active = { revoked_at: null, expires_at: later, code_failures: maxCodeFailures - 1 };
	test.each<[string, Partial<Parameters<typeof getShareState>[0]>]>([
		["active", {}],
		["expired", { expires_at: now }],
		["blocked", { code_failures: maxCodeFailures }],
		["expired", { expires_at: now, code_failures: maxCodeFailures }],
		["revoked", { revoked_at: later, expires_at: now, code_failures: maxCodeFailures }],
	])("%s: %o", (state, change) => {
		expect(getShareState({ ...active, ...change }, now)).toBe(state);
	});
});

test("a passcode is the same in capitals, with blanks, and with other signs for the same characters", () => {
	for (const written of ["Été 42", " été42 ", "e\u0301te\u0301 42", "ÉTÉ\u00a0４２"]) expect(normalizePasscode(written)).toBe("été42");
});

test("a link has the signed id of its share, and says whether another text is one that was altered", () => {
	const signer = createSigner(["a secret of the tests that is long enough to sign"]);
	const id = "0198c0de-0000-7000-8000-000000000001";
	const context = { signer, now: () => new Date(), environment: { baseUrl: "https://shop.example" } } as Parameters<typeof shareUrl>[0];
	const url = shareUrl(context, id);
	const token = url.slice("https://shop.example/partage/".length);
	expect(readShareToken(context, token)).toEqual({ ok: true, id });
	expect(readShareToken(context, signer.sign("document", id))).toEqual({ ok: false, code: "tampered" });
	expect(readShareToken(context, token.slice(5))).toEqual({ ok: false, code: "tampered" });
	expect(readShareToken(context, "abc.def")).toEqual({ ok: false, code: "unknown" });
});
