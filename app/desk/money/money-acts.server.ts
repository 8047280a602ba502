import { cents, formatEuros } from "../../catalogue/money.ts";
import { releaseRefunds } from "../../orders/refunds/release-refunds.server.ts";
import { type ActCall, type ActResult, defineAct, defineOrderAct, refuse } from "../acts/act.ts";

async function release({ shop, actor }: ActCall, only: string | null): Promise<ActResult> {
	const released = await releaseRefunds(shop, only, actor.name);
	if (released.length === 0) return refuse("Plus aucun remboursement n’est retenu ici\u00a0: il est déjà parti.");
	const sum = formatEuros(cents(released.reduce((total, { amount_cents }) => total + amount_cents, 0)));
	const text =
		released.length === 1
			? `Le remboursement de ${sum} part maintenant.`
			: `${released.length} remboursements partent maintenant\u00a0: ${sum}.`;
	return { ok: true, text, after: { refunds: released.length, amount: sum } };
}

const changes = { refunds: "Remboursements", amount: "Montant" };

/** Refunds that wait for a person (docs/rules.md, R83). */
export const moneyActs = [
	defineOrderAct({
		name: "release-refund",
		role: "refund",
		label: "Faire partir un remboursement retenu",
		fields: {},
		run: (call) => release(call, call.order.id),
		changes,
	}),
	defineAct({
		name: "release-refunds",
		role: "refund",
		label: "Faire partir les remboursements retenus",
		fields: {},
		run: (call) => release(call, null),
		changes,
	}),
];
