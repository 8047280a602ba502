import { isUuid } from "../../../server/uuid.ts";
import type { Shop } from "../../shop.ts";
import { performAct } from "../acts/perform-act.server.ts";
import type { Actor } from "../operators/roles.ts";
import { listDroppedFiles } from "./list-dropped-files.server.ts";
import type { FileLine, FilesAnswer } from "./upload-answer.ts";

/**
 * « Tout livrer »: asks for the delivery of each file of the form, under a key for each order, so that each can be undone alone. A file
 * that needs an answer, or whose delivery is asked for already, stays as it is.
 * @param form fields « fichier »: the id of a file and the key of its delivery.
 */
export async function deliverAll(shop: Shop, actor: Actor, form: FormData): Promise<FilesAnswer> {
	const keys = new Map(
		form.getAll("fichier").map((value) => {
			const [id = "", key = ""] = String(value).split(" ");
			return [id, key];
		}),
	);
	const files = (await listDroppedFiles(shop, actor)).filter(({ id }) => isUuid(keys.get(id) ?? ""));
	const lines: FileLine[] = [];
	for (const { id, fileName, order, ready } of files) {
		const line = { fileName, orders: [order.number] };
		if (!ready) {
			lines.push({ ...line, ok: false, text: "Ce fichier demande une réponse\u00a0: ouvrez sa commande." });
			continue;
		}
		const outcome = await performAct(shop, actor, {
			act: "deliver",
			key: `deliver ${keys.get(id)}`,
			orderId: order.id,
			fields: { draft: id },
		});
		lines.push({ ...line, ok: outcome.state === "scheduled" || outcome.state === "done", text: outcome.text });
	}
	return { lines, text: lines.length === 0 ? "Aucun fichier n’est prêt à être livré." : null };
}
