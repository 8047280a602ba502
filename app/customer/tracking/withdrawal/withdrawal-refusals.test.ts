import { expect, test } from "vitest";
import type { Order } from "../../../orders/order.ts";
import { describeWithdrawalRefusal, type WithdrawalRefusal } from "./withdrawal-refusals.ts";

const read = (code: WithdrawalRefusal, order: Partial<Order> = {}, readyAt: Date | null = null) =>
	describeWithdrawalRefusal(code, { product_code: "express", status: "processing", completed_at: null, ...order } as Order, readyAt)
		.replaceAll("\u00a0", " ")
		.replace(/^Vous avez demandé .+ Or /, "… ");

const law = " : notre service est pleinement exécuté (article L221-28, 1° du code de la consommation).";
const at = new Date("2026-11-23T08:00:00Z");
const later = new Date("2026-11-23T09:00:00Z");

test("a receipt says why there is no right to withdraw, and what ended it", () => {
	expect(read("cancelled")).toBe("Cette commande est déjà annulée, et son prix vous est remboursé.");
	expect(read("failed")).toBe("Cette commande n’a pas abouti, et son prix vous est remboursé sans que vous ayez à le demander.");
	expect(read("refunded")).toBe("Cette commande vous a déjà été remboursée en totalité.");
	expect(read("too-late")).toBe("Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).");
	const sent = { status: "completed", completed_at: at } as const;
	expect(read("waived", { ...sent, product_code: "postal" })).toBe(`… votre courrier a été posté le lundi 23 novembre 2026 à 9 h${law}`);
	expect(read("waived", { product_code: "postal" })).toBe(`… votre courrier a été posté${law}`);
	const ready = "… votre extrait est prêt, sur la page de suivi";
	const since = `${ready}, depuis le lundi 23 novembre 2026 à 9 h${law}`;
	expect(read("waived", {}, at)).toBe(since);
	expect(read("waived", sent)).toBe(since);
	// ready before its e-mail left; a replacement is ready after it
	expect(read("waived", { ...sent, completed_at: later }, at)).toBe(since);
	expect(read("waived", sent, later)).toBe(since);
	expect(read("waived")).toBe(`${ready}${law}`);
	expect(read("waived", { completed_at: at })).toBe(`${ready}${law}`);
	expect(read("waived", { status: "completed" })).toBe(`${ready}${law}`);
});

test("a refusal quotes no wording of the box, which had several versions", () => {
	const { product_code, status } = { product_code: "express", status: "processing" } as const;
	expect(describeWithdrawalRefusal("waived", { product_code, status, completed_at: null } as Order, null)).toMatch(
		/^Vous avez demandé l’exécution immédiate et reconnu que vous perdriez ainsi votre droit de rétractation\. Or /,
	);
});
