import { formatDay, formatHour } from "../app/catalogue/instants.ts";
import type { ServiceCode } from "../app/catalogue/services.ts";
import { performAct } from "../app/desk/acts/perform-act.server.ts";
import { listOperators } from "../app/desk/operators/operators.store.server.ts";
import { roles } from "../app/desk/operators/roles.ts";
import { listDrafts } from "../app/fulfilment/drafts/drafts.store.server.ts";
import { extractLines, generatePdf } from "./fixtures/pdf.ts";
import { createOperator } from "./operators.ts";
import type { TestShop } from "./shop.ts";

let copies = 0;

/** The text of a page, with ordinary spaces. */
export const plain = (html: string) =>
	html
		.replace(/<!-- -->/g, "")
		.replaceAll("\u00a0", " ")
		.replaceAll("&nbsp;", " ")
		.replaceAll("&#x27;", "'");

/** An operator of a shop who serves orders by hand, over HTTP as a browser without scripts does it. */
export async function createServing(shop: TestShop) {
	const operator = await createOperator(shop, "Camille", ["serve"]);
	const [{ id, name } = { id: "", name: "" }] = await listOperators(shop.shop.db);
	const actor = { id, name, roles: new Set(roles), origin: "test" };
	const upload = (path: string, files: { name: string; bytes: Uint8Array }[], headers: Record<string, string> = {}) => {
		const body = new FormData();
		for (const { name: fileName, bytes } of files) body.append("file", new File([bytes as Uint8Array<ArrayBuffer>], fileName));
		return operator.ask(path, { method: "POST", body, headers });
	};
	return {
		operator,
		actor,
		upload,
		/** A different extract each time. */
		newExtract: (how: Parameters<typeof extractLines>[0] = {}) =>
			generatePdf({
				lines: [
					...extractLines({ dated: `à jour au ${formatDay(shop.shop.now())} à ${formatHour(shop.shop.now())}`, ...how }),
					`${++copies}`,
				],
			}),
		async newOrder(service: ServiceCode = "express", how: Parameters<TestShop["placeOrder"]>[0] = {}) {
			const placed = await shop.placeOrder({ service, ...how });
			await shop.payByCard(placed.payUrl);
			await shop.untilOrderIs("processing", placed.id);
			return placed;
		},
		drop: (number: string, bytes: Uint8Array, fileName = "extrait.pdf") =>
			upload(`/bureau/commandes/${number}/extrait`, [{ name: fileName, bytes }], { "sec-fetch-dest": "document" }),
		readPage: async (number: string) => plain(await (await operator.ask(`/bureau/commandes/${number}`)).text()),
		act: (act: string, orderId: string, fields: Record<string, string> = {}, key: string = crypto.randomUUID()) =>
			performAct(shop.shop, actor, { act, key, orderId, fields }),
		findDraftId: async (orderId: string) => (await listDrafts(shop.shop.db, orderId))[0]?.id ?? "",
	};
}
