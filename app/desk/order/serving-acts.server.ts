import { isPosted } from "../../catalogue/services.ts";
import { readSiren } from "../../companies/company-numbers.ts";
import { hasValidKey, type Siren } from "../../companies/siren.ts";
import { changeCompany, checkCompanyChange } from "../../fulfilment/company-change/change-company.server.ts";
import { correctTracking } from "../../fulfilment/correct-tracking.server.ts";
import { checkDelivery, checkReplacement, deliverDraft, moveDraft, replaceByDraft } from "../../fulfilment/drafts/deliver-draft.server.ts";
import { deleteDraft } from "../../fulfilment/drafts/drafts.store.server.ts";
import { type Confirmations, maxReasonLength } from "../../fulfilment/extracts/judge-extract.ts";
import { parseInstant } from "../../fulfilment/extracts/parse-instant.ts";
import { addNote, maxNoteLength } from "../../fulfilment/notes/add-note.server.ts";
import { recordRequest } from "../../fulfilment/record-request.server.ts";
import { servingRefusals } from "../../fulfilment/refusals.ts";
import { checkReportNotFound, reportExtractNotFound } from "../../fulfilment/report-extract-not-found.server.ts";
import { notFoundReasons } from "../../orders/lifecycle.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { coded, defineOrderAct, refuse } from "../acts/act.ts";
import { anyText, type FieldParser, id, oneOf, refuseField, text, value } from "../acts/fields.ts";
import { findPendingAct } from "../log/acts.store.server.ts";
import { findOtherHolder } from "./find-other-holder.server.ts";
import { notFoundReasonLabels } from "./serving-sentences.ts";

const refuseCode = ({ code }: { code: keyof typeof servingRefusals }, field?: string) => refuse(servingRefusals[code], field);

/** What the operator confirms of a file: boxes « confirm-old » and « confirm-scan », why it is of the company, and the date where it has none. */
const confirmed: FieldParser<Confirmations> = (_, sent) => {
	const { date = "", company = "" } = sent;
	const issuedAt = date.trim() === "" ? undefined : parseInstant(date);
	if (issuedAt === null) return refuseField("Cette date ne se lit pas. Écrivez-la ainsi\u00a0: 21/11/2026 ou 21/11/2026 10:32.", "date");
	return value({
		old: "confirm-old" in sent,
		unreadable: "confirm-scan" in sent,
		company: company.trim().slice(0, maxReasonLength),
		...(issuedAt && { issuedAt }),
	});
};

const draft = id("Déposez d’abord l’extrait.");

const because = text("Dites pourquoi, sans nommer personne.", maxReasonLength);

const siren: FieldParser<Siren> = (typed = "") => {
	const parsed = readSiren(typed);
	if (parsed === null) return refuseField("Un SIREN a neuf chiffres.");
	return hasValidKey(parsed) ? value(parsed) : refuseField("Ce SIREN n’existe pas\u00a0: un de ses chiffres est faux.");
};

/** The field that answers a refused check. */
const confirmFields: Record<keyof Confirmations, string> = {
	old: "confirm-old",
	unreadable: "confirm-scan",
	company: "company",
	issuedAt: "date",
};

const refuseFile = (outcome: { code: keyof typeof servingRefusals; confirm?: keyof Confirmations | null }) =>
	refuseCode(outcome, outcome.confirm ? confirmFields[outcome.confirm] : undefined);

const describeConfirmed = (given: Confirmations): Record<string, string> => {
	const names = (["old", "unreadable", "company", "issuedAt"] as const).filter((name) => given[name]);
	return names.length > 0 ? { confirmed: names.join(", ") } : {};
};

const fileChanges = { extract: coded("Extrait", { delivered: "livré" }), confirmed: "Confirmé" };

/** What an operator does to serve an order. */
export const servingActs = [
	defineOrderAct({
		name: "record-request",
		role: "serve",
		label: "Noter l’extrait demandé au greffe",
		claims: true,
		exclusive: true,
		fields: {},
		async run({ shop, order, actor }) {
			const outcome = await recordRequest(shop, { orderId: order.id, by: actor.name });
			if (!outcome.ok) return refuseCode(outcome);
			return { ok: true, text: "C’est noté\u00a0: le client lit que sa demande est transmise au greffe." };
		},
	}),
	defineOrderAct({
		name: "deliver",
		role: "serve",
		label: "Livrer l’extrait",
		claims: true,
		undoable: true,
		fields: { draft, confirmed },
		async check({ shop, order, actor, requestedAt }, { draft, confirmed }) {
			const refused = await checkDelivery(shop, { orderId: order.id, draftId: draft, operator: actor, confirmed, requestedAt });
			return refused ? refuseFile(refused) : { ok: true };
		},
		async run({ shop, order, actor, requestedAt }, { draft, confirmed }) {
			const outcome = await deliverDraft(shop, { orderId: order.id, draftId: draft, operator: actor, confirmed, requestedAt });
			if (!outcome.ok) return refuseFile(outcome);
			const text = isPosted(order.product_code)
				? "L’extrait est enregistré. Imprimez-le, postez-le, puis saisissez le numéro de suivi."
				: "L’extrait part par e-mail.";
			return { ok: true, text, after: { extract: "delivered", ...describeConfirmed(confirmed) } };
		},
		changes: fileChanges,
	}),
	defineOrderAct({
		name: "replace-extract",
		role: "serve",
		label: "Remplacer l’extrait",
		undoable: true,
		fields: { draft, confirmed, because },
		async check({ shop, order, actor, requestedAt }, { draft, confirmed }) {
			const refused = await checkReplacement(shop, { orderId: order.id, draftId: draft, operator: actor, confirmed, requestedAt });
			return refused ? refuseFile(refused) : { ok: true };
		},
		async run({ shop, order, actor, requestedAt }, { draft, confirmed, because }) {
			const outcome = await replaceByDraft(shop, { orderId: order.id, draftId: draft, operator: actor, confirmed, requestedAt, because });
			if (!outcome.ok) return refuseFile(outcome);
			const after = { extract: outcome.replacement, ...describeConfirmed(confirmed) };
			return { ok: true, text: "L’extrait est remplacé. L’ancien garde son empreinte.", before: { extract: "delivered" }, after };
		},
		changes: fileChanges,
	}),
	defineOrderAct({
		name: "discard-draft",
		role: "serve",
		label: "Retirer le fichier déposé",
		exclusive: true,
		fields: { draft },
		async run({ shop, actor }, { draft }) {
			const deleted = await deleteDraft(shop.db, { id: draft, operator: actor.id });
			return deleted ? { ok: true, text: "Le fichier est retiré." } : refuse(servingRefusals["no-draft"]);
		},
	}),
	defineOrderAct({
		name: "move-draft",
		role: "serve",
		label: "Déposer le fichier sur sa commande",
		exclusive: true,
		fields: { draft, to: id(servingRefusals["unknown-order"]) },
		async run({ shop, actor }, { draft, to }) {
			const order = await findOrder(shop.db, to);
			if (order === null) return refuse(servingRefusals["unknown-order"]);
			const held = await findOtherHolder(shop, order, actor);
			if (held !== null) return refuse(held);
			if (await findPendingAct(shop.db, { orderId: to, now: shop.now() })) return refuse(servingRefusals["pending-act"]);
			const moved = await moveDraft(shop, { draftId: draft, operator: actor.id, toOrderId: to });
			if (!moved.ok) return refuseCode(moved);
			const number = order.order_number;
			return { ok: true, text: `Le fichier est déposé sur la commande ${number}.`, after: { order: number } };
		},
		changes: { order: "Commande" },
	}),
	defineOrderAct({
		name: "not-found",
		role: "serve",
		label: "Signaler l’extrait introuvable",
		claims: true,
		undoable: true,
		fields: { because: oneOf(notFoundReasons, "Choisissez la raison\u00a0: elle complète l’e-mail du client.") },
		async check({ shop, order }) {
			const code = await checkReportNotFound(shop.db, order);
			return code ? refuseCode({ code }) : { ok: true };
		},
		async run({ shop, order, actor }, { because }) {
			const outcome = await reportExtractNotFound(shop, { orderId: order.id, because, by: actor.name });
			if (!outcome.ok) return refuseCode(outcome);
			return { ok: true, text: "La commande est remboursée en entier, et le client est prévenu.", after: { "not-found": because } };
		},
		changes: { "not-found": coded("Raison", notFoundReasonLabels) },
	}),
	defineOrderAct({
		name: "change-company",
		role: "serve",
		label: "Changer l’entreprise de la commande",
		claims: true,
		undoable: true,
		fields: {
			siren,
			agreement: (typed = "", sent) => text(servingRefusals["no-agreement"])(typed.trim().slice(0, maxNoteLength), sent),
		},
		async check({ shop, order }, { siren }) {
			const code = await checkCompanyChange(shop.db, order, siren);
			return code ? refuseCode({ code }, "siren") : { ok: true };
		},
		async run({ shop, order, actor }, { siren, agreement }) {
			const outcome = await changeCompany(shop, { orderId: order.id, siren, agreement, operator: actor.name });
			if (!outcome.ok) return refuseCode(outcome, outcome.code === "no-agreement" ? "agreement" : "siren");
			const text = `La commande porte maintenant sur ${outcome.name}, et le client est prévenu.`;
			return { ok: true, text, before: { siren: order.siren }, after: { siren } };
		},
		changes: { siren: "SIREN" },
	}),
	defineOrderAct({
		name: "correct-tracking",
		role: "serve",
		label: "Corriger le numéro de suivi",
		claims: true,
		exclusive: true,
		fields: { because, tracking: anyText, confirmed: (sent) => value(sent !== undefined) },
		async run({ shop, order, actor }, { tracking, confirmed, because }) {
			const outcome = await correctTracking(shop, { orderId: order.id, trackingNumber: tracking, confirmed, because, by: actor.name });
			if (!outcome.ok) return refuseCode(outcome, outcome.code === "unknown-tracking-number" ? "confirmed" : "tracking");
			const text = "Le numéro de suivi est corrigé, et le client est prévenu.";
			return { ok: true, text, before: { tracking: outcome.replaces }, after: { tracking: outcome.number, because } };
		},
		changes: { tracking: "Numéro de suivi", because: "Motif" },
	}),
	defineOrderAct({
		name: "note",
		role: "serve",
		label: "Ajouter une note",
		fields: { text: text("Écrivez la note.") },
		async run({ shop, order, actor }, { text }) {
			const outcome = await addNote(shop, { orderId: order.id, operator: actor.name, text });
			return outcome.ok ? { ok: true, text: "La note est enregistrée." } : refuseCode(outcome, "text");
		},
	}),
];
