import type { RouterContextProvider } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { formatDay } from "../../catalogue/instants.ts";
import { maxLetters, printLetters, recordRun } from "../../fulfilment/letters/print-letters.server.ts";
import { shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";

/** Why there is no PDF, and the ids of the letters that can be printed without the others. */
export interface PrintRefusal {
	text: string;
	others: string[];
}

const sentences = {
	none: "Aucun de ces courriers n’est à imprimer.",
	unreadable: "Aucun de ces extraits n’est lisible. Remplacez-les sur la page de leur commande.",
} as const;

/**
 * Answers the form « Télécharger les courriers » with a PDF, as a download. It holds names and addresses: a line of the trail says who
 * made it, and the shop remembers its letters for « C’est imprimé ». When an extract cannot be read there is no PDF, so that nobody believes it complete.
 */
export async function sendLetters({
	request,
	context,
}: {
	request: Request;
	context: Readonly<RouterContextProvider>;
}): Promise<PrintRefusal | Response> {
	const shop = context.get(shopContext);
	const actor = getActor(context);
	const form = await readDeskForm(request);
	const orderIds = String(form.get("orders") ?? "")
		.split(",")
		.filter(isUuid)
		.slice(0, maxLetters);
	const outcome = await runRecorded(shop, { verb: "print-letters", actor }, async () => {
		const made = await printLetters(shop, orderIds);
		if (!made.ok) return made;
		const orders = made.printed.map(({ orderNumber }) => orderNumber).join(", ");
		return { ...made, after: { letters: made.printed.length, orders, unreadable: made.failed.length, left: made.left } };
	});
	if (!outcome.ok) return { text: sentences[outcome.code], others: [] };
	if (outcome.failed.length > 0) {
		const numbers = outcome.failed.map(({ orderNumber }) => orderNumber).join(", ");
		return {
			text:
				outcome.failed.length === 1
					? `Cet extrait est illisible, rien n’est téléchargé\u00a0: ${numbers}. Remplacez-le sur la page de sa commande.`
					: `Ces extraits sont illisibles, rien n’est téléchargé\u00a0: ${numbers}. Remplacez-les sur la page de leur commande.`,
			others: outcome.printed.map(({ orderId }) => orderId),
		};
	}
	await recordRun(shop, { operatorId: actor.id, letters: outcome.printed });
	// the name says it where the page cannot: without JavaScript
	const share = outcome.left > 0 ? `_${outcome.printed.length}_sur_${outcome.printed.length + outcome.left}` : "";
	const name = `Courriers_${formatDay(shop.now()).replaceAll("/", "-")}${share}.pdf`;
	return sendDownload(outcome.pdf, { name, type: "application/pdf" });
}
