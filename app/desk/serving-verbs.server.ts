import { readFile } from "node:fs/promises";
import { Temporal } from "temporal-polyfill";
import { zone } from "../catalogue/instants.ts";
import type { Confirmations } from "../issuing/check-extract.server.ts";
import { failOrder } from "../orders/fail-order.server.ts";
import { postExtract } from "../orders/post-extract.server.ts";
import { reportExtractNotFound } from "../orders/report-extract-not-found.server.ts";
import { closedSentence, uploadExtract } from "../orders/upload-extract.server.ts";
import { done, type OrderVerb, refuse } from "./verb.ts";

/** How each thing that the operator may answer for is written. */
const confirmOptions: Record<keyof Confirmations, string> = {
	old: "--confirm-date",
	unreadable: "--confirm-scan",
	issuedAt: "--date AAAA-MM-JJ",
};

export const upload: OrderVerb = {
	usage: 'KB-… extrait.pdf [--confirm-date] [--confirm-scan] [--date "AAAA-MM-JJ HH:MM"]',
	does: "dépose l’extrait obtenu du greffe, après contrôle",
	words: [1, 1],
	options: { "confirm-date": { type: "boolean" }, "confirm-scan": { type: "boolean" }, date: { type: "string" } },
	async run({ shop, words, options }, order) {
		const [file = ""] = words;
		const bytes = await readFile(file).catch(() => null);
		if (bytes === null) return refuse(`Le fichier ${file} ne se lit pas.`);
		const issuedAt = typeof options.date === "string" ? parseInstant(options.date) : undefined;
		if (issuedAt === null) return refuse('Cette date ne se lit pas. Écrivez-la ainsi : --date 2026-11-21, ou --date "2026-11-21 10:32".');
		const confirmed = {
			...{ old: options["confirm-date"] === true, unreadable: options["confirm-scan"] === true },
			...(issuedAt && { issuedAt }),
		};
		const outcome = await uploadExtract(shop, { orderId: order.id, bytes: new Uint8Array(bytes), confirmed });
		if (!outcome.ok) return refuse(outcome.reason + (outcome.confirm ? ` Pour en répondre : ${confirmOptions[outcome.confirm]}.` : ""));
		return done(["L’extrait est déposé. La commande continue.", ...outcome.warnings].join("\n"));
	},
};

/** A day, or a day and an hour, in Europe/Paris; null when it is neither. */
function parseInstant(typed: string): Date | null {
	try {
		return new Date(Temporal.PlainDateTime.from(typed.trim()).toZonedDateTime(zone).epochMilliseconds);
	} catch {
		return null;
	}
}

export const post: OrderVerb = {
	usage: "KB-… <numéro de suivi>",
	does: "note le numéro de suivi du courrier posté",
	words: [1, 9],
	async run({ shop, words }, order) {
		const outcome = await postExtract(shop, { orderId: order.id, trackingNumber: words.join(" ") });
		return outcome.ok ? done("Le numéro de suivi est noté. La commande se termine et le client est prévenu.") : refuse(outcome.reason);
	},
};

export const notFound: OrderVerb = {
	usage: "KB-…",
	does: "le registre n’a pas d’extrait : la commande échoue et elle est remboursée",
	words: [0, 0],
	async run({ shop }, order) {
		if (order.failure_reason === "not-found") return done("C’est déjà noté : la commande a échoué.");
		const outcome = await reportExtractNotFound(shop, order.id);
		return outcome.ok ? done("C’est noté. La commande échoue, elle est remboursée et le client est prévenu.") : refuse(outcome.reason);
	},
};

export const fail: OrderVerb = {
	usage: "KB-…",
	does: "arrête une commande payée et la rembourse en entier",
	words: [0, 0],
	async run({ shop }, order) {
		if (order.failure_reason === "operator") return done("Cette commande est déjà arrêtée.");
		const closed = closedSentence(order);
		if (closed !== null) return refuse(closed); // says why; the rule is failOrder's
		if (!(await failOrder(shop, order.id, "operator"))) return refuse("Cette commande vient de changer d’état. Regardez-la de nouveau.");
		return done("La commande est arrêtée. Son remboursement est demandé et le client est prévenu.");
	},
};
