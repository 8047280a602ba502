import { cents, formatEuros } from "../../catalogue/money.ts";
import { releaseRefunds } from "../../refunds/release-refunds.server.ts";
import { type ActCall, type ActResult, defineAct } from "../acts/act.ts";

async function release({ shop, actor }: ActCall, only: string | null): Promise<ActResult> {
	const released = await releaseRefunds(shop, only, actor.name);
	if (released.length === 0) return { ok: false, text: "Plus aucun remboursement n’est retenu ici\u00a0: il est déjà parti." };
	const sum = formatEuros(cents(released.reduce((total, { amount_cents }) => total + amount_cents, 0)));
	const text =
		released.length === 1
			? `Le remboursement de ${sum} part maintenant.`
			: `${released.length} remboursements partent maintenant\u00a0: ${sum}.`;
	return { ok: true, text, after: { refunds: released.length, amount: sum } };
}

/** Refunds that wait for a person (docs/rules.md, R83). */
export const moneyActs = {
	"release-refund": defineAct<null>({
		role: "refund",
		label: "Faire partir un remboursement retenu",
		parse: () => ({ ok: true, input: null }),
		run: async (call) => (call.order === null ? { ok: false, text: "Choisissez une commande." } : release(call, call.order.id)),
	}),
	"release-refunds": defineAct<null>({
		role: "refund",
		label: "Faire partir les remboursements retenus",
		parse: () => ({ ok: true, input: null }),
		run: (call) => release(call, null),
	}),
};
