import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { getMonth } from "../../books/month.ts";
import routes from "../../routes.ts";
import { roles } from "../operators/roles.ts";
import { recordLook } from "../order/record-look.server.ts";
import { listTrail } from "./list-trail.server.ts";

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
	const year = getMonth(shop.shop.now()).slice(0, 4);
	const silent: string[] = [];
	for (const pattern of children.map(({ path = "" }) => path).filter((path) => !Object.hasOwn(withoutLine, path))) {
		const { number, mail, document } = others.has(pattern) ? second : first;
		const values: Record<string, string> = { number, mail, document, id: conversation, month: "2026-10", file: "vat", year };
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
	expect(lines.slice(-3).map(({ verb }) => verb)).toEqual(["end-duty", "start-duty", "remove-device"]);
	expect(JSON.stringify(lines)).not.toContain("push.example");
});

test("a page of the trail has a hundred lines of what was looked for, and the next one begins after them", async () => {
	const { db } = shop.shop;
	const insert = (from: number, to: number, subject: string) =>
		db
			.insertInto("desk_log")
			.values(
				Array.from({ length: to - from + 1 }, (_, index) => ({
					...{
						run: crypto.randomUUID(),
						at: shop.shop.now(),
						who: "Zoé",
						verb: `orders ${from + index}`,
						subject,
						outcome: "done" as const,
					},
					...{ origin: "terminal", operator_id: null, change: null },
				})),
			)
			.execute();
	await insert(1, 100, "KB-2345-6789");
	const read = async (query: Record<string, string> | string) => {
		const { rows, ...trail } = await listTrail({ db }, new URLSearchParams(query));
		return { ...trail, numbers: rows.map(({ verb }) => Number(verb.split(" ").at(-1))) };
	};
	const count = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
	const asked = { objet: " kb2345 6789 ", qui: " Zoé " };
	expect(await read(asked)).toEqual({ subject: "KB-2345-6789", who: "Zoé", numbers: count(100, 1), next: null });
	await insert(101, 101, "KB-2345-6789");
	const first = await read(asked);
	expect(first.numbers).toEqual(count(101, 2));
	expect((await read(first.next ?? "")).numbers).toEqual([1]);
	await insert(102, 102, "autre");
	expect((await read({ objet: "autre" })).numbers).toEqual([102]);
	expect((await read({ qui: "Zoé" })).numbers).toEqual(count(102, 3));
	expect((await read({ ...asked, avant: "x1" })).numbers).toEqual(count(101, 2));
	const long = "x".repeat(101);
	expect(await read({ objet: long, qui: long })).toMatchObject({ subject: long.slice(1), who: long.slice(1), numbers: [] });
	const [row] = (await listTrail({ db }, new URLSearchParams({ objet: "autre" }))).rows;
	expect(row).toMatchObject({
		who: "Zoé",
		origin: "terminal",
		verb: "Terminal\u00a0: orders 102",
		subject: "autre",
		outcome: "done",
		changes: [],
	});
});

test("a look is recorded once a day of Paris, for each person and each subject", async () => {
	const at = (text: string) => ({ ...shop.shop, now: () => new Date(text) });
	const actor = (id: string) => ({ id, name: "Nuit", roles: new Set(roles), origin: "test" });
	const [one, other] = [actor(crypto.randomUUID()), actor(crypto.randomUUID())];
	const look = async (now: string, who = one, subject: string | null = "KB-1") => {
		await recordLook(at(now), who, "look-at-order", subject);
		const rows = await shop.shop.db.selectFrom("desk_log").select("id").where("who", "=", "Nuit").where("outcome", "=", "done").execute();
		return rows.length;
	};
	expect(await look("2026-11-23T22:30:00Z")).toBe(1);
	expect(await look("2026-11-23T22:59:59Z")).toBe(1);
	expect(await look("2026-11-23T23:00:00Z")).toBe(2);
	expect(await look("2026-11-24T08:00:00Z")).toBe(2);
	expect(await look("2026-11-24T08:00:00Z", other)).toBe(3);
	expect(await look("2026-11-24T08:00:00Z", one, "KB-2")).toBe(4);
	expect(await look("2026-11-24T08:00:00Z", one, null)).toBe(5);
	expect(await look("2026-11-24T08:00:00Z", one, null)).toBe(5);
});
