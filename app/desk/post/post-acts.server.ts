import { isUuid } from "../../../server/uuid.ts";
import { markPrinted } from "../../fulfilment/letters/print-letters.server.ts";
import { postExtract } from "../../fulfilment/post-extract.server.ts";
import { servingRefusals } from "../../fulfilment/refusals.ts";
import { findTrackingNumber } from "../../fulfilment/tracking-number.ts";
import { defineAct, defineOrderAct, refuse } from "../acts/act.ts";
import { refuseField, value } from "../acts/fields.ts";
import { maxTypedLength } from "./typed-numbers.ts";

const markRefusals = {
	"no-run": "Téléchargez d’abord le PDF des courriers\u00a0: aucun n’attend d’être imprimé.",
	"several-runs": "Rechargez la page, puis dites lequel des PDF téléchargés est imprimé.",
} as const;

/** A letter whose address was corrected since has left the PDF. */
const nothingMarked =
	"Ces courriers étaient déjà marqués comme imprimés. Si leur extrait ou leur adresse a changé depuis, téléchargez-les de nouveau.";

/** What operators do with letters. */
export const postActs = [
	defineAct({
		name: "mark-printed",
		role: "serve",
		label: "Marquer les courriers comme imprimés",
		fields: {
			run: (typed) =>
				typed === undefined || isUuid(typed)
					? value(typed ?? null)
					: refuseField("Rechargez la page\u00a0: la liste des courriers a changé.", null),
		},
		async run({ shop, actor }, { run: runId }) {
			const marked = await markPrinted(shop, { operatorId: actor.id, runId });
			if (!marked.ok) return refuse(markRefusals[marked.code]);
			const count = marked.orders.length;
			const text = count === 1 ? "Le courrier est marqué comme imprimé." : `${count} courriers sont marqués comme imprimés.`;
			return {
				ok: true,
				text: count === 0 ? nothingMarked : text,
				after: { letters: count, ...(count > 0 && { orders: marked.orders.join(", ") }) },
			};
		},
		changes: { letters: "Courriers", orders: "Commandes" },
	}),
	defineOrderAct({
		name: "post-letter",
		role: "serve",
		label: "Noter le numéro de suivi d’un courrier",
		claims: true,
		fields: { tracking: (typed = "") => value(typed.slice(0, maxTypedLength)), confirmed: (sent) => value(sent !== undefined) },
		async run({ shop, order }, { tracking: trackingNumber, confirmed }) {
			const outcome = await postExtract(shop, { orderId: order.id, trackingNumber, confirmed });
			if (!outcome.ok) return refuse(servingRefusals[outcome.code]);
			// a letter of a replaced extract has a number before
			const [before, after] = [{ tracking: order.tracking_number }, { tracking: findTrackingNumber(trackingNumber) }];
			return { ok: true, text: "Posté. Le client reçoit son numéro de suivi.", before, after };
		},
		changes: { tracking: "Numéro de suivi" },
	}),
];
