import { closeMonth } from "../../accounts/closing/close-month.server.ts";
import { formatCloseRefusal } from "../../accounts/closing/close-refusals.ts";
import { recordExtractCost } from "../../accounts/files/record-extract-cost.server.ts";
import { formatMonthTitle, parseMonth } from "../../accounts/month.ts";
import { updateAccounts } from "../../accounts/update-accounts.server.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { parseEuros } from "../../refunds/parse-euros.ts";
import { defineAct } from "../acts/act.ts";

const refuse = (text: string, field?: string) => ({ ok: false as const, text, ...(field && { field }) });

const unreadableAmount = "Ce montant ne se lit pas\u00a0: écrivez par exemple 3,20.";

/** What the accountant does; who serves an order notes what its extract cost. */
export const accountsActs = {
	"update-accounts": defineAct({
		role: "accounts",
		label: "Mettre les comptes à jour",
		parse: () => ({ ok: true, input: null }),
		async run({ shop }) {
			const updated = await updateAccounts(shop);
			return updated.ok
				? { ok: true, text: `Écritures passées\u00a0: ${updated.posted}. Mouvements lus\u00a0: ${updated.movements}.` }
				: refuse("Le prestataire de paiement ne répond pas. Les écritures connues ici sont passées. Réessayez plus tard.");
		},
	}),
	"close-month": defineAct({
		role: "accounts",
		label: "Clôturer un mois",
		parse({ month: typed = "", seen = "", confirmed }) {
			const month = parseMonth(typed);
			if (month === null || !/^[0-9a-f]{64}$/.test(seen)) return refuse("Ce mois n’existe pas.");
			if (confirmed === undefined) return refuse("Cochez que vous avez relu les sommes.", "confirmed");
			return { ok: true, input: { month, seen } };
		},
		async run({ shop, actor }, { month, seen }) {
			const closed = await closeMonth(shop, month, { closedBy: actor.name, seen });
			if (!closed.ok) return refuse(formatCloseRefusal(closed));
			const name = formatMonthTitle(month);
			return { ok: true, text: closed.again ? `${name} était déjà clôturé.` : `${name} est clôturé.`, after: { month, entries: seen } };
		},
	}),
	"extract-cost": defineAct({
		role: "serve",
		label: "Noter le coût de l’extrait",
		parse({ amount = "" }) {
			const cost = parseEuros(amount);
			return cost === null ? refuse(unreadableAmount, "amount") : { ok: true, input: cost };
		},
		async run({ shop, order }, cost) {
			if (order === null || !(await recordExtractCost(shop, order.order_number, cost)).ok) return refuse("Cette commande n’existe pas.");
			return { ok: true, text: `Coût de l’extrait\u00a0: ${formatEuros(cost)}.`, after: { cost } };
		},
	}),
	"record-extract-cost": defineAct({
		role: "accounts",
		label: "Noter le coût d’un extrait",
		parse({ number = "", amount = "" }) {
			const order = parseOrderNumber(number);
			if (order === null) return refuse("Ce numéro de commande ne se lit pas.", "number");
			const cost = parseEuros(amount);
			return cost === null ? refuse(unreadableAmount, "amount") : { ok: true, input: { order, cost } };
		},
		async run({ shop }, { order, cost }) {
			const recorded = await recordExtractCost(shop, order, cost);
			if (!recorded.ok) return refuse("Cette commande n’existe pas.", "number");
			return { ok: true, text: `Coût de l’extrait de ${order}\u00a0: ${formatEuros(cost)}.`, after: { order, cost } };
		},
	}),
};
