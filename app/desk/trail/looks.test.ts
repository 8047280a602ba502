import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { roles } from "../../operators/roles.ts";
import routes from "../../routes.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", roles);
});
afterAll(() => shop?.close());

/** Why looking at a route is no line of the trail. */
const withoutLine: Readonly<Record<string, string>> = {
	"": "leads to a page",
	commandes: "has no name and no address of a customer",
	"commandes/:number/extrait": "leads to the order",
	"commandes/:number/lien": "shows the link in the answer to a form, which is recorded",
	fichiers: "names orders and companies only",
	"apercu/:draft/:page": "is a part of the order's page or of the list of files",
	"specimen/:number": "exists in the demo only",
	"courrier/lettres": "leads to the list; the PDF is the answer to a form, which is recorded",
	chiffres: "has sums only",
	recherche: "is an empty form; each search is recorded",
	direct: "has no data",
	etat: "has no data",
	action: "has no page",
	reglages: "is about the shop",
	alertes: "leads to a page",
	"messages/modeles": "is about the shop",
	personnes: "is an empty form; each search is recorded",
	"personnes/export": "has no page; the export is the answer to a form, which is recorded",
	equipe: "is about operators",
	comptes: "has sums only",
	"comptes/:month": "has sums and numbers only",
	journal: "has no personal data of customers",
	"mon-acces": "is about who looks",
	"mon-acces/cle": "has no page",
};

const countLines = async () =>
	Number(
		(
			await shop.shop.db
				.selectFrom("desk_log")
				.select(({ fn }) => fn.countAll().as("lines"))
				.where("outcome", "=", "done")
				.where("who", "=", "Ada")
				.executeTakeFirstOrThrow()
		).lines,
	);

/** The ids that an order gives to addresses of the desk. */
async function readIds({ id, number }: { id: string; number: string }) {
	const mails = shop.shop.db.selectFrom("mails").select("id").where("order_id", "=", id).where("kind", "=", "confirmation");
	const documents = shop.shop.db.selectFrom("documents").select("id").where("order_id", "=", id).where("doc_type", "=", "invoice");
	const [mail, document] = [await mails.executeTakeFirstOrThrow(), await documents.executeTakeFirstOrThrow()];
	return { number, mail: mail.id, document: document.id };
}

test("each page of the desk that shows customers' data writes a line of the trail, once a day", async () => {
	const [first, second] = [await readIds(await shop.completeOrder()), await readIds(await shop.completeOrder())];
	await shop.postForm("/contact", { nom: "Léa", email: "lea@example.fr", message: "Où est mon extrait ?" });
	const { id: conversation } = await shop.shop.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
	// two addresses with the same line have different orders
	const others = new Set(["argent/:number", "commandes/:number/e-mails/:mail/fichier"]);
	const children = routes.find((route) => route.id === "desk")?.children ?? [];
	const silent: string[] = [];
	for (const pattern of children.map(({ path = "" }) => path).filter((path) => !Object.hasOwn(withoutLine, path))) {
		const { number, mail, document } = others.has(pattern) ? second : first;
		const values: Record<string, string> = { number, mail, document, id: conversation, month: "2026-10", file: "vat" };
		const path = `/bureau/${pattern.replace(/:(\w+)/g, (_, name: string) => values[name] ?? "")}`;
		const before = await countLines();
		const answer = await ada.ask(path);
		await answer.arrayBuffer();
		if ((await countLines()) !== before + 1) silent.push(`${pattern}: ${answer.status}`);
	}
	expect(silent).toEqual([]);
	const after = await countLines();
	for (const path of ["messages", `messages/${conversation}`, "messages/refus", "courrier", "argent", `documents/${first.document}`])
		await (await ada.ask(`/bureau/${path}`)).arrayBuffer();
	expect(await countLines()).toBe(after);
	expect(JSON.stringify(await shop.shop.db.selectFrom("desk_log").selectAll().execute())).not.toContain("lea@example.fr");
});

test("the trail has each change of a person's duty and devices", async () => {
	const before = await countLines();
	await ada.post("/bureau/alertes", { do: "off-duty" });
	await ada.post("/bureau/alertes", { do: "on-duty" });
	await ada.post("/bureau/alertes", { do: "unsubscribe", device: "https://push.example/secret" });
	await ada.post("/bureau/alertes", { do: "unknown" });
	const lines = await shop.shop.db.selectFrom("desk_log").select(["verb", "change"]).where("outcome", "=", "done").orderBy("id").execute();
	expect(await countLines()).toBe(before + 3);
	expect(lines.slice(-3).map(({ verb }) => verb.replace("bureau\u00a0: ", ""))).toEqual([
		"quitter son service",
		"prendre son service",
		"retirer un appareil des alertes",
	]);
	expect(JSON.stringify(lines)).not.toContain("push.example");
});
