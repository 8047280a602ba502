import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser, createOperator, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import routes from "../routes.ts";
import { acts } from "./acts/act-table.server.ts";
import { performAct } from "./acts/perform-act.server.ts";
import { parseRoles, type Role, roles } from "./operators/roles.ts";
import { deskPages, mayOpen } from "./shell/desk-pages.ts";

let shop: TestShop;
/** One operator of each role. */
let operators: Map<Role, TestOperator>;
beforeAll(async () => {
	shop = await createTestShop();
	operators = new Map();
	for (const role of roles) operators.set(role, await createOperator(shop, role, [role]));
});
afterAll(() => shop?.close());

/** The pages below /bureau of app/routes.ts. */
const deskRoutes = routes.find((route) => route.id === "desk")?.children ?? [];

test("each route of the desk has a row, by itself or by the page above it", () => {
	expect(deskRoutes.length).toBeGreaterThan(5);
	const paths = deskRoutes.flatMap(({ path }) => (path ? [`/bureau/${path}`] : []));
	const withoutRow = paths.filter((path) => !deskPages.some((page) => path === page.path || path.startsWith(`${page.path}/`)));
	expect(withoutRow).toEqual([]);
});

test("each page has its roles, and its key in the menu", () => {
	const rows = deskPages.map(({ path, roles: needed, key, inMenu }) =>
		[path, needed?.join(" ") ?? "everybody", ...(inMenu ? [`g ${key}`] : [])].join(": "),
	);
	expect(rows).toEqual([
		"/bureau/commandes: serve: g c",
		"/bureau/fichiers: serve: g f",
		"/bureau/apercu: serve",
		"/bureau/specimen: serve",
		"/bureau/documents: serve",
		"/bureau/recherche: serve refund privacy: g r",
		"/bureau/messages: serve: g m",
		"/bureau/courrier: serve: g p",
		"/bureau/argent: refund: g a",
		"/bureau/chiffres: accounts settings: g h",
		"/bureau/comptes: accounts months: g k",
		"/bureau/reglages: settings: g s",
		"/bureau/alertes: everybody",
		"/bureau/personnes: privacy: g d",
		"/bureau/equipe: settings: g e",
		"/bureau/journal: settings privacy: g j",
		"/bureau/mon-acces: everybody",
		"/bureau/direct: everybody",
		"/bureau/etat: everybody",
		"/bureau/action: everybody",
	]);
});

test("each page opens for its roles, and names the missing role to others", async () => {
	for (const page of deskPages.filter(({ inMenu }) => inMenu)) {
		for (const [role, operator] of operators) {
			const answer = await operator.ask(page.path);
			expect(answer.status, `${role} at ${page.path}`).toBe(mayOpen(page, [role]) ? 200 : 403);
			const html = await answer.text();
			if (answer.status === 403) expect(html).toMatch(/Il vous faut le rôle[\s\S]+pages qui vous sont ouvertes[\s\S]+href="\/bureau"/);
		}
	}
});

test("/bureau leads each role to a page that it may open", async () => {
	for (const [role, operator] of operators) {
		const location = (await operator.ask("/bureau")).headers.get("location") ?? "";
		expect((await operator.ask(location)).status, `${role} at ${location}`).toBe(200);
	}
});

test("what is gone says so within the desk, with the way back; to strangers it leads to the sign-in", async () => {
	const gone = await operators.get("serve")?.ask("/bureau/commandes/KB-ZZZZ-ZZZZ");
	expect(gone?.status).toBe(404);
	expect(await gone?.text()).toMatch(/La commande KB-ZZZZ-ZZZZ n’existe pas[\s\S]+Revenez au bureau[\s\S]+href="\/bureau"/);
	expect((await createBrowser(shop.url).ask("/bureau/commandes/KB-ZZZZ-ZZZZ")).headers.get("location")).toContain("/bureau/connexion");
});

test("the data of a page are as closed as the page", async () => {
	const stranger = createBrowser(shop.url);
	for (const page of deskPages.filter(({ inMenu }) => inMenu)) {
		expect((await (await stranger.ask(`${page.path}.data`)).text()).includes("/bureau/connexion"), page.path).toBe(true);
		for (const [role, operator] of operators) {
			if (!mayOpen(page, [role])) expect((await operator.ask(`${page.path}.data`)).status, `${role} at ${page.path}.data`).toBe(403);
		}
	}
});

test("a page spelt otherwise is as closed, and the refusal is in the trail", async () => {
	const accountant = operators.get("accounts");
	for (const path of ["/bureau/%72echerche", "/bureau/recherch%65.data", "/BUREAU/Recherche"])
		expect((await accountant?.post(path, { q: "ada@example.fr" }))?.status, path).toBe(403);
	const refused = await shop.shop.db
		.selectFrom("desk_log")
		.select(["verb", "subject"])
		.where("who", "=", "accounts")
		.where("outcome", "=", "refused")
		.orderBy("id", "desc")
		.limit(3)
		.execute();
	// each of them was refused at the door, not only by the page behind it
	expect(refused).toEqual(Array(3).fill({ verb: "open-page", subject: "Rechercher" }));
});

test("a form with NUL is read without it", async () => {
	const manager = operators.get("settings");
	const fields = { act: "invite", key: crypto.randomUUID(), name: "No\0e", email: "noe@bureau.example", "role-serve": "on" };
	expect((await manager?.post("/bureau/equipe", fields))?.status).toBe(200);
	const { name } = await shop.shop.db
		.selectFrom("operators.invitation")
		.select("name")
		.where("email", "=", "noe@bureau.example")
		.executeTakeFirstOrThrow();
	expect(name).toBe("Noe");
});

test("each act is refused without its role, whatever page it is sent to, and the refusal is in the trail", async () => {
	for (const { name, role: needed } of acts) {
		for (const role of roles.filter((each) => each !== needed)) {
			const actor = { id: crypto.randomUUID(), name: `only ${role}`, roles: new Set([role]), origin: "test" };
			const outcome = await performAct(shop.shop, actor, { act: name, key: crypto.randomUUID(), orderId: null, fields: {} });
			expect(outcome, `${role} asks for ${name}`).toMatchObject({
				state: "refused",
				text: expect.stringContaining("Il vous faut le rôle"),
			});
		}
	}
	const { refused } = await shop.shop.db
		.selectFrom("desk_log")
		.select(({ fn }) => fn.countAll<string>().as("refused"))
		.where("outcome", "=", "refused")
		.where("who", "like", "only %")
		.executeTakeFirstOrThrow();
	expect(Number(refused)).toBe(acts.length * (roles.length - 1));
});

test("a role taken away counts from the next request on", async () => {
	const operator = await createOperator(shop, "Noe", ["settings"]);
	expect((await operator.ask("/bureau/equipe")).status).toBe(200);
	await shop.shop.db
		.updateTable("operators.member")
		.set({ roles: ["serve"] })
		.where("user_id", "in", (query) => query.selectFrom("operators.user").select("id").where("email", "=", operator.email))
		.execute();
	expect((await operator.ask("/bureau/equipe")).status).toBe(403);
	const answer = await operator.post("/bureau/mon-acces", { act: "invite", key: crypto.randomUUID() });
	expect(answer.status).toBe(200);
});

test("the same form, sent many times at once, is one act", async () => {
	const operator = operators.get("settings");
	const fields = { act: "invite", key: crypto.randomUUID(), name: "Mia", email: "mia@bureau.example", "role-serve": "on" };
	const answers = await Promise.all(Array.from({ length: 8 }, () => operator?.post("/bureau/equipe", fields)));
	for (const answer of answers) expect(answer?.status).toBe(200);
	const invitations = await shop.shop.db
		.selectFrom("operators.invitation")
		.select("id")
		.where("email", "=", "mia@bureau.example")
		.execute();
	expect(invitations).toHaveLength(1);
});

test("nothing of the desk is on a public page", async () => {
	for (const path of ["/", "/recherche", "/commande", "/suivi-commande"]) {
		expect(await (await shop.ask(path)).text(), path).not.toMatch(/bureau/i);
	}
});

test.each<[string, Role[] | null]>([
	["serve", ["serve"]],
	["refund, serve", ["serve", "refund"]],
	["operator", ["serve"]],
	["accountant", ["months"]],
	["manager", [...roles]],
	["", null],
	["boss", null],
	["serve,boss", null],
])("the roles « %s »", (typed, expected) => {
	expect(parseRoles(typed)).toEqual(expected);
});
