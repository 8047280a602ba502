import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { readZip } from "../../../test/purchases/read-zip.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["refund", "serve"]);
});
afterAll(() => shop?.close());

const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("<!-- -->", "");

async function deliveredOrder() {
	const placed = await shop.completeOrder({ service: "standard" });
	const payment = await shop.shop.db.selectFrom("payments").select("id").where("order_id", "=", placed.id).executeTakeFirstOrThrow();
	return { ...placed, paymentId: payment.id, path: `/bureau/argent/${placed.number}` };
}

describe("a dispute", () => {
	test("shows its deadline, and gives its evidence in one file", async () => {
		const order = await deliveredOrder();
		const due = new Date(shop.shop.now().getTime() + 86_400_000);
		const dispute = { dispute_status: "open" as const, dispute_reason: "product_not_received", dispute_due_at: due };
		await shop.shop.db.updateTable("payments").set(dispute).where("id", "=", order.paymentId).execute();
		const page = plain(await (await ada.ask("/bureau/argent")).text());
		expect(page).toContain("produit non reçu");
		expect(page).toContain("Répondre avant");
		const answer = await ada.ask(`${order.path}/dossier.zip`);
		expect(answer.headers.get("content-type")).toBe("application/zip");
		const names = [...readZip(Buffer.from(await answer.arrayBuffer())).keys()];
		for (const name of [
			"0-lisez-moi.txt",
			"product_description.txt",
			"access_activity_log.txt",
			"refund_policy_disclosure.txt",
			"customer_communication.txt",
		])
			expect(names).toContain(name);
		expect(names.some((name) => /^customer_communication\/.*-confirmation\.html$/.test(name))).toBe(true);
		expect(names.some((name) => name.startsWith("receipt/"))).toBe(true);
		const log = await shop.shop.db.selectFrom("desk_log").select("outcome").where("verb", "=", "download-evidence").execute();
		expect(log.map(({ outcome }) => outcome)).toEqual(["begun", "done"]);
	});

	test("gives the bank what the customer wrote, and says what others wrote is left out", async () => {
		const order = await deliveredOrder();
		const write = (email: string, message: string) =>
			shop.postForm("/contact", { nom: "Ada", email, message: `${order.number}\n${message}` });
		await write("ada@example.fr", "Merci pour l’extrait.");
		await write("eve@example.com", "Je n’ai jamais rien commandé.");
		const archive = readZip(Buffer.from(await (await ada.ask(`${order.path}/dossier.zip`)).arrayBuffer()));
		const text = archive.get("customer_communication.txt")?.toString("utf8") ?? "";
		expect(text).toMatch(/Le client, [^\n]+:\nKB-[^\n]+\nMerci pour l’extrait\./);
		expect(text).not.toContain("jamais rien commandé");
		expect(plain(text)).toContain("Messages échangés avec une autre adresse que celle du client, non repris ici : 1.");
	});

	test("is not for those who only serve", async () => {
		const eve = await createOperator(shop, "Eve", ["serve"]);
		const order = await deliveredOrder();
		for (const path of [order.path, `${order.path}/dossier.zip`]) expect((await eve.ask(path)).status, path).toBe(403);
	});
});
