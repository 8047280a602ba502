import { isUuid } from "../../../server/uuid.ts";
import { isPosted } from "../../catalogue/services.ts";
import { hasValidKey, parseSiren } from "../../companies/siren.ts";
import { type Fields, findPendingAct } from "../../desk-log/acts.store.server.ts";
import type { Confirmations } from "../../extracts/check-extract.server.ts";
import { parseInstant } from "../../extracts/parse-instant.ts";
import { changeCompany, checkCompanyChange } from "../../fulfilment/company-change/change-company.server.ts";
import { correctTracking } from "../../fulfilment/correct-tracking.server.ts";
import { checkDelivery, checkReplacement, deliverDraft, moveDraft, replaceByDraft } from "../../fulfilment/drafts/deliver-draft.server.ts";
import { deleteDraft } from "../../fulfilment/drafts/drafts.server.ts";
import { insertNote, maxNoteLength } from "../../fulfilment/notes/insert-note.server.ts";
import { recordRequest } from "../../fulfilment/record-request.server.ts";
import { checkReportNotFound, reportExtractNotFound } from "../../fulfilment/report-extract-not-found.server.ts";
import { notFoundReasons } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { type ActCall, type ActRefusal, type ActResult, defineAct } from "../acts/act.ts";
import { addressActs } from "./address-acts.server.ts";
import { findOtherHolder } from "./find-other-holder.server.ts";
import { servingRefusals } from "./serving-sentences.ts";

/** In characters. */
const maxReasonLength = 500;

const refuse = (text: string, field?: string): ActRefusal => ({ ok: false, text, ...(field && { field }) });
const refuseCode = ({ code }: { code: keyof typeof servingRefusals }, field?: string) => refuse(servingRefusals[code], field);

/** The order of a call, with the operator who has an account. */
type OrderCall = ActCall & { order: Order; operator: { id: string; name: string } };

type OrderActDefinition<Input> = Omit<Parameters<typeof defineAct<Input>>[0], "run" | "check"> & {
	/** Refused while another operator has the order; otherwise the order is the actor's for another twenty minutes. */
	claims?: boolean;
	check?(call: OrderCall, input: Input): Promise<ActRefusal | null>;
	run(call: OrderCall, input: Input): Promise<ActResult>;
};

/** Defines an act that is about an order. */
function defineOrderAct<Input>({ check, run, claims = false, ...act }: OrderActDefinition<Input>) {
	const claim = async (call: ActCall): Promise<{ ok: true; call: OrderCall } | ActRefusal> => {
		if (call.order === null) return refuse(servingRefusals["unknown-order"]);
		const held = claims ? await findOtherHolder(call.shop, call.order, call.actor) : null;
		return held === null ? { ok: true, call: withOperator(call, call.order) } : refuse(held);
	};
	return defineAct<Input>({
		...act,
		async check(call, input) {
			const claimed = await claim(call);
			return claimed.ok ? ((await check?.(claimed.call, input)) ?? null) : claimed;
		},
		async run(call, input) {
			const claimed = await claim(call);
			return claimed.ok ? run(claimed.call, input) : claimed;
		},
	});
}

const withOperator = (call: ActCall, order: Order): OrderCall => ({
	...call,
	order,
	operator: { id: call.actor.id ?? "", name: call.actor.name },
});

/** Reads a draft, and what the operator confirms of it: boxes « confirm-old » and « confirm-scan », and the date where the file has none. */
function parseDraft(fields: Fields): { ok: true; input: { draftId: string; confirmed: Confirmations } } | ActRefusal {
	const { draft = "", date = "" } = fields;
	if (!isUuid(draft)) return refuse("Déposez d’abord l’extrait.");
	const issuedAt = date.trim() === "" ? undefined : parseInstant(date);
	if (issuedAt === null) return refuse("Cette date ne se lit pas. Écrivez-la ainsi\u00a0: 21/11/2026 ou 21/11/2026 10:32.", "date");
	const confirmed = { old: "confirm-old" in fields, unreadable: "confirm-scan" in fields, ...(issuedAt && { issuedAt }) };
	return { ok: true, input: { draftId: draft, confirmed } };
}

function parseReason({ because = "" }: Fields): { ok: true; text: string } | ActRefusal {
	const text = because.trim();
	return text === "" || text.length > maxReasonLength ? refuse("Dites pourquoi, sans nommer personne.", "because") : { ok: true, text };
}

/** The field that answers a refused check. */
const confirmFields: Record<keyof Confirmations, string> = { old: "confirm-old", unreadable: "confirm-scan", issuedAt: "date" };

const refuseFile = (outcome: { code: keyof typeof servingRefusals; confirm?: keyof Confirmations | null }) =>
	refuseCode(outcome, outcome.confirm ? confirmFields[outcome.confirm] : undefined);

const describeConfirmed = (confirmed: Confirmations): Record<string, string> => {
	const names = (["old", "unreadable", "issuedAt"] as const).filter((name) => confirmed[name]);
	return names.length > 0 ? { confirmed: names.join(", ") } : {};
};

/** What an operator does to serve an order. */
export const servingActs = {
	...addressActs,
	"record-request": defineOrderAct({
		role: "serve",
		label: "Noter l’extrait demandé au greffe",
		claims: true,
		exclusive: true,
		parse: () => ({ ok: true, input: null }),
		async run({ shop, order, operator }) {
			const outcome = await recordRequest(shop, { orderId: order.id, by: operator.name });
			if (!outcome.ok) return refuseCode(outcome);
			return { ok: true, text: "C’est noté\u00a0: le client lit que sa demande est transmise au greffe." };
		},
	}),
	deliver: defineOrderAct({
		role: "serve",
		label: "Livrer l’extrait",
		claims: true,
		undoable: true,
		parse: parseDraft,
		async check({ shop, order, operator, requestedAt }, { draftId, confirmed }) {
			const refused = await checkDelivery(shop, { orderId: order.id, draftId, operator, confirmed, requestedAt });
			return refused && refuseFile(refused);
		},
		async run({ shop, order, operator, requestedAt }, { draftId, confirmed }) {
			const outcome = await deliverDraft(shop, { orderId: order.id, draftId, operator, confirmed, requestedAt });
			if (!outcome.ok) return refuseFile(outcome);
			const text = isPosted(order.product_code)
				? "L’extrait est enregistré. Imprimez-le, postez-le, puis saisissez le numéro de suivi."
				: "L’extrait part par e-mail.";
			return { ok: true, text, after: { extract: "delivered", ...describeConfirmed(confirmed) } };
		},
	}),
	"replace-extract": defineOrderAct({
		role: "serve",
		label: "Remplacer l’extrait",
		undoable: true,
		parse(fields) {
			const draft = parseDraft(fields);
			const because = parseReason(fields);
			if (!draft.ok) return draft;
			return because.ok ? { ok: true, input: { ...draft.input, because: because.text } } : because;
		},
		async check({ shop, order, operator, requestedAt }, { draftId, confirmed }) {
			const refused = await checkReplacement(shop, { orderId: order.id, draftId, operator, confirmed, requestedAt });
			return refused && refuseFile(refused);
		},
		async run({ shop, order, operator, requestedAt }, { draftId, confirmed, because }) {
			const outcome = await replaceByDraft(shop, { orderId: order.id, draftId, operator, confirmed, requestedAt, because });
			if (!outcome.ok) return refuseFile(outcome);
			const after = { extract: outcome.replacement, ...describeConfirmed(confirmed) };
			return { ok: true, text: "L’extrait est remplacé. L’ancien garde son empreinte.", before: { extract: "delivered" }, after };
		},
	}),
	"discard-draft": defineOrderAct({
		role: "serve",
		label: "Retirer le fichier déposé",
		exclusive: true,
		parse: parseDraft,
		async run({ shop, operator }, { draftId }) {
			const deleted = await deleteDraft(shop.db, { id: draftId, operator: operator.id });
			return deleted ? { ok: true, text: "Le fichier est retiré." } : refuse(servingRefusals["no-draft"]);
		},
	}),
	"move-draft": defineOrderAct({
		role: "serve",
		label: "Déposer le fichier sur sa commande",
		exclusive: true,
		parse(fields) {
			const draft = parseDraft(fields);
			const { to = "" } = fields;
			if (!draft.ok) return draft;
			return isUuid(to) ? { ok: true, input: { ...draft.input, to } } : refuse(servingRefusals["unknown-order"]);
		},
		async run({ shop, actor, operator }, { draftId, to }) {
			const order = await findOrder(shop.db, to);
			if (order === null) return refuse(servingRefusals["unknown-order"]);
			const held = await findOtherHolder(shop, order, actor);
			if (held !== null) return refuse(held);
			if (await findPendingAct(shop.db, { orderId: to, now: shop.now() })) return refuse(servingRefusals["pending-act"]);
			const moved = await moveDraft(shop, { draftId, operator: operator.id, toOrderId: to });
			if (!moved.ok) return refuseCode(moved);
			const number = order.order_number;
			return { ok: true, text: `Le fichier est déposé sur la commande ${number}.`, after: { order: number } };
		},
	}),
	"not-found": defineOrderAct({
		role: "serve",
		label: "Signaler l’extrait introuvable",
		claims: true,
		undoable: true,
		parse({ because = "" }) {
			const reason = notFoundReasons.find((each) => each === because);
			return reason ? { ok: true, input: reason } : refuse("Choisissez la raison\u00a0: elle complète l’e-mail du client.", "because");
		},
		async check({ shop, order }) {
			const code = await checkReportNotFound(shop.db, order);
			return code && refuseCode({ code });
		},
		async run({ shop, order, operator }, because) {
			const outcome = await reportExtractNotFound(shop, { orderId: order.id, because, by: operator.name });
			if (!outcome.ok) return refuseCode(outcome);
			return { ok: true, text: "La commande est remboursée en entier, et le client est prévenu.", after: { "not-found": because } };
		},
	}),
	"change-company": defineOrderAct({
		role: "serve",
		label: "Changer l’entreprise de la commande",
		claims: true,
		undoable: true,
		parse({ siren = "", agreement = "" }) {
			const parsed = parseSiren(siren);
			if (parsed === null) return refuse("Un SIREN a neuf chiffres.", "siren");
			if (!hasValidKey(parsed)) return refuse("Ce SIREN n’existe pas\u00a0: un de ses chiffres est faux.", "siren");
			const text = agreement.trim().slice(0, maxNoteLength);
			return text === "" ? refuse(servingRefusals["no-agreement"], "agreement") : { ok: true, input: { siren: parsed, agreement: text } };
		},
		async check({ shop, order }, { siren }) {
			const code = await checkCompanyChange(shop.db, order, siren);
			return code && refuseCode({ code }, "siren");
		},
		async run({ shop, order, operator }, { siren, agreement }) {
			const outcome = await changeCompany(shop, { orderId: order.id, siren, agreement, operator: operator.name });
			if (!outcome.ok) return refuseCode(outcome, outcome.code === "no-agreement" ? "agreement" : "siren");
			const text = `La commande porte maintenant sur ${outcome.name}, et le client est prévenu.`;
			return { ok: true, text, before: { siren: order.siren }, after: { siren } };
		},
	}),
	"correct-tracking": defineOrderAct({
		role: "serve",
		label: "Corriger le numéro de suivi",
		claims: true,
		exclusive: true,
		parse({ tracking = "", ...fields }) {
			const because = parseReason(fields);
			return because.ok ? { ok: true, input: { tracking, because: because.text } } : because;
		},
		async run({ shop, order, operator }, { tracking, because }) {
			const outcome = await correctTracking(shop, { orderId: order.id, trackingNumber: tracking, because, by: operator.name });
			if (!outcome.ok) return refuseCode(outcome, "tracking");
			const text = "Le numéro de suivi est corrigé, et le client est prévenu.";
			return { ok: true, text, before: { tracking: outcome.replaces }, after: { tracking: outcome.number, because } };
		},
	}),
	note: defineOrderAct({
		role: "serve",
		label: "Ajouter une note",
		parse: ({ text = "" }) => (text.trim() === "" ? refuse("Écrivez la note.", "text") : { ok: true, input: text }),
		async run({ shop, order, operator }, text) {
			const outcome = await insertNote(shop, { orderId: order.id, operator: operator.name, text });
			return outcome.ok ? { ok: true, text: "La note est enregistrée." } : refuseCode(outcome, "text");
		},
	}),
};
