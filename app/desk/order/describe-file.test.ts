import { describe, expect, test } from "vitest";
import type { DeskLogEntry } from "../log/desk-log.store.server.ts";
import type { OrderFile } from "../retention/order-file.server.ts";
import { describeDocuments, describeTimeline, listResendable } from "./describe-file.server.ts";

/** An instant of 23 November 2026, so many minutes after nine in Paris. */
const at = (minutes: number) => new Date(Date.parse("2026-11-23T08:00:00Z") + minutes * 60_000);
const empty = {
	...{ order: { erased_at: null }, lines: [], events: [], mails: [], sentEmails: [], payments: [], refunds: [], refundRequests: [] },
	...{ notes: [], documents: [], sharedDocuments: [], invoices: [] },
};
const fileWith = (parts: object) => ({ ...empty, ...parts }) as unknown as OrderFile;
const entry = (values: object) => ({ id: "1", at: at(0), who: "Ada", origin: "bureau", outcome: "done", ...values }) as DeskLogEntry;

/** The lines as they are shown: stamp, text and details. */
const read = (parts: object, trail: readonly DeskLogEntry[] = []) =>
	describeTimeline(fileWith(parts), trail).map(({ stamp, text, details }) =>
		[`${stamp.slice(13)} ${text}`, ...details].map((part) => part.replaceAll(/[\u00a0\u202f]/g, " ")),
	);

describe("the timeline", () => {
	test("has the newest line first, and those of one instant in the order of their ids", () => {
		const note = (id: string, minutes: number) => ({ id, created_at: at(minutes), text: `Note ${id}`, operator: "Ada" });
		const lines = describeTimeline(fileWith({ notes: [note("a", 0), note("c", 1), note("b", 1)] }), [
			entry({ id: "7", at: at(2), verb: "x" }),
		]);
		expect(lines.map(({ id, kind }) => [id, kind])).toEqual([
			["trail-7", "trail"],
			["note-c", "note"],
			["note-b", "note"],
			["note-a", "note"],
		]);
		expect(lines.at(-1)).toMatchObject({ at: at(0).toISOString(), text: "Note a", details: ["Ada"] });
	});

	test("has the events with who and why, without those that another line says better", () => {
		const event = (id: number, event_type: string, payload = {}) => ({ id, event_type, payload, created_at: at(-id) });
		const events = [
			event(0, "mail_sent"),
			event(0, "paid"),
			event(0, "refunded"),
			event(1, "document_issued", { by: "Ada", confirmed: "old, issuedAt, unreadable, new" }),
			event(2, "failed", { by: "Ada", because: "no-kbis", reason: "operator" }),
			event(3, "failed", { reason: "late", because: "autre", confirmed: 1, by: null }),
			event(4, "tracking_corrected", { replaces: "1A1", tracking_number: "1A2" }),
			event(5, "tracking_corrected", { replaces: "1A1" }),
			event(6, "tracking_corrected", { tracking_number: "1A2" }),
		];
		expect(read({ events })).toEqual([
			["8 h 59 Extrait prêt", "Ada", "confirmé : extrait de plus d’un jour, date saisie, texte illisible, new"],
			[
				...["8 h 58 Commande en échec : vous êtes remboursé", "Ada"],
				...["Association, profession libérale ou autre organisme sans Kbis", "arrêtée par la boutique"],
			],
			["8 h 57 Commande en échec : vous êtes remboursé", "autre"],
			["8 h 56 Numéro de suivi du courrier corrigé", "1A1, puis 1A2"],
			["8 h 55 Numéro de suivi du courrier corrigé"],
			["8 h 54 Numéro de suivi du courrier corrigé"],
		]);
	});

	test("has each e-mail with what became of it, and opens those that left unless the customer is erased", () => {
		const mail = (
			id: string,
			created: number,
			sent: number | null,
			bounced: number | null = null,
			bounce_reason: string | null = null,
		) => ({
			...{ id, kind: "confirmation", created_at: at(created), bounce_reason },
			...{ sent_at: sent === null ? null : at(sent), bounced_at: bounced === null ? null : at(bounced) },
		});
		const mails = [mail("a", 0, null), mail("b", 0, 1), mail("c", 0, 2, 9, "550"), mail("d", 3, null, 9)];
		const sentEmails = [
			{ mailId: "b", kind: "late", sentAt: at(1), bouncedAt: null },
			{ mailId: "e", kind: "late", sentAt: at(4), bouncedAt: null },
			{ mailId: "f", kind: "late", sentAt: at(5), bouncedAt: at(9) },
		];
		expect(read({ mails, sentEmails })).toEqual([
			["9 h 05 E-mail : Commande en retard", "parti, revenu le 23/11/2026 à 9 h 09 ; remplacé par un nouvel envoi"],
			["9 h 04 E-mail : Commande en retard", "parti, remplacé par un nouvel envoi"],
			["9 h 03 E-mail : Confirmation et facture", "refusé le 23/11/2026 à 9 h 09 : sans motif"],
			["9 h 02 E-mail : Confirmation et facture", "refusé le 23/11/2026 à 9 h 09 : 550"],
			["9 h 01 E-mail : Confirmation et facture", "parti"],
			["9 h E-mail : Confirmation et facture", "en attente"],
		]);
		const opens = (parts: object) => describeTimeline(fileWith(parts), []).map(({ id, email }) => [id, email ?? null]);
		expect(opens({ mails, sentEmails })).toEqual(
			["f", "e", "d", "c", "b"].map((id) => [`mail-${id}`, id]).concat([["mail-a", null as never]]),
		);
		expect(opens({ mails, order: { erased_at: at(0) } }).map(([, email]) => email)).toEqual([null, null, null, null]);
	});

	test("has payments, refunds with their author, requests and answers", () => {
		const refund = (id: string, values: object) => ({
			...{ id, amount_cents: 500, status: "succeeded", requested_at: at(10), settled_at: null, provider_id: null },
			...{ reason: "operator", cause: "late", ...values },
		});
		const parts = {
			payments: [
				{ id: "pi_1", role: "order", amount_cents: 5900, created_at: at(0) },
				{ id: "pi_2", role: "surplus", amount_cents: 5900, created_at: at(1) },
			],
			refunds: [
				refund("a", { settled_at: at(30), provider_id: "re_1", requested_by: "Ada" }),
				refund("b", { status: "requested", cause: "unknown", requested_at: at(20) }),
				refund("c", { status: "refused", cause: null, reason: "late" }),
			],
			refundRequests: [
				{ id: "q", created_at: at(2), message: "Trop tard", answer: "Non" },
				{ id: "r", created_at: at(3), message: "Trop tôt", answer: null },
			],
		};
		const trail = [
			entry({ id: "1", at: at(19), verb: "orders upload", who: "Zoé" }),
			entry({ id: "2", at: at(12), verb: "refund", who: "Bob", outcome: "refused" }),
			entry({ id: "3", at: at(11), verb: "deliver", who: "Bob" }),
			entry({ id: "4", at: at(18), verb: "undo", who: "Ada", change: { after: { act: "refund" } } }),
		];
		const lines = read(parts, trail);
		expect(lines.filter(([text]) => !/Rembourser|Livrer|Terminal/.test(text ?? ""))).toEqual([
			["9 h 30 Remboursement de 5,00 € fait", "Retard, geste commercial", "Ada", "re_1"],
			["9 h 20 Remboursement de 5,00 € demandé", "décision d’un opérateur"],
			["9 h 10 Remboursement de 5,00 € refusé", "retard"],
			["9 h 03 Demande de remboursement : « Trop tôt »"],
			["9 h 02 Demande de remboursement : « Trop tard »", "réponse : « Non »"],
			["9 h 01 Second paiement reçu : 59,00 €", "pi_2"],
			["9 h Paiement reçu : 59,00 €", "pi_1"],
		]);
		expect(lines.filter(([text]) => /Rembourser|Livrer|Terminal/.test(text ?? ""))).toEqual([
			["9 h 19 Terminal : orders upload", "Zoé", "bureau"],
			["9 h 18 Annuler « Rembourser »", "Ada", "bureau"],
			["9 h 12 Rembourser", "Bob", "bureau", "refusé"],
			["9 h 11 Livrer l’extrait", "Bob", "bureau"],
		]);
		const [payment] = read({ payments: parts.payments.slice(0, 1), lines: [{}, {}] });
		expect(payment).toEqual(["9 h Paiement reçu : 59,00 €", "pour la commande groupée, 2 lignes", "pi_1"]);
	});
});

test("the documents have the extract first, their number and what became of their file", () => {
	const document = (id: string, doc_type: string, values = {}) => ({
		...{ id, doc_type, issued_at: at(0), bytes: 184_400, purged_at: null, replaced_at: null, ...values },
	});
	const described = describeDocuments(
		fileWith({
			documents: [
				document("a", "credit_note"),
				document("b", "kbis", { replaced_at: at(1) }),
				document("c", "kbis", { replaced_at: at(1), purged_at: at(2) }),
			],
			sharedDocuments: [document("d", "invoice", { bytes: 2_060_000 })],
			invoices: [{ document_id: "d", number: "F2026-000031" }],
		}),
	);
	const plain = (text: string) => text.replaceAll("\u00a0", " ");
	expect(described.map(({ id, name, details, stored, hasXml }) => [id, name, plain(details), stored, hasXml])).toEqual([
		["b", "Extrait", "du 23/11/2026 à 9 h, 184 ko, remplacé le 23/11/2026 à 9 h 01", true, false],
		["c", "Extrait", "du 23/11/2026 à 9 h, 184 ko, supprimé le 23/11/2026 à 9 h 02", false, false],
		["a", "Avoir", "du 23/11/2026 à 9 h, 184 ko", true, false],
		["d", "Facture F2026-000031", "du 23/11/2026 à 9 h, 2,1 Mo", true, true],
	]);
});

test("what was written to the customer or the recipient can leave again, each kind once, until the customer is erased", () => {
	const mails = ["late", "confirmation", "late", "alert-late", "document-ready-delivery"].map((kind) => ({ kind }));
	expect(listResendable(fileWith({ mails }))).toEqual([
		{ kind: "late", label: "Commande en retard" },
		{ kind: "confirmation", label: "Confirmation et facture" },
		{ kind: "document-ready-delivery", label: "Extrait prêt, au destinataire" },
	]);
	expect(listResendable(fileWith({ mails, order: { erased_at: at(0) } }))).toEqual([]);
});
