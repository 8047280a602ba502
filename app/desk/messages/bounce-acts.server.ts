import { type CorrectBouncedOutcome, correctBounced } from "../../emails/bounces.server.ts";
import { maskEmail } from "../../mail/email-address.ts";
import { defineOrderAct, refuse } from "../acts/act.ts";
import { email, value } from "../acts/fields.ts";

/** Acts on addresses that refused e-mails. */
export const bounceActs = [
	defineOrderAct({
		name: "correct-bounced-address",
		role: "serve",
		label: "Corriger une adresse et renvoyer",
		fields: { email, reader: (typed) => value(typed === "delivery" ? ("delivery" as const) : ("customer" as const)) },
		async run({ shop, actor, order }, { email, reader }) {
			const outcome = await correctBounced(shop, { orderId: order.id, reader, to: email, by: actor.name });
			if (!outcome.ok) return refuse(refusals[outcome.code]);
			const text =
				outcome.resent === 1
					? "L’adresse est corrigée, et l’e-mail part de nouveau."
					: `L’adresse est corrigée, et ${outcome.resent} e-mails partent de nouveau.`;
			return { ok: true, text, before: { email: maskEmail(outcome.before) }, after: { email: maskEmail(email) } };
		},
		changes: { email: "E-mail" },
	}),
];

const refusals: Record<Extract<CorrectBouncedOutcome, { ok: false }>["code"], string> = {
	unknown: "Cette commande n’existe pas.",
	erased: "Le client de cette commande a été effacé\u00a0: il n’y a plus à qui écrire.",
	"nothing-bounced": "Ces e-mails sont déjà partis de nouveau.",
	purged: "Le document de ces e-mails n’est plus conservé\u00a0: rien n’est renvoyé.",
};
