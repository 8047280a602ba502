import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createBrowser, createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { readDemoMail } from "../../mail/read-demo-mails.server.ts";
import { closeAccess } from "../access/end-access.server.ts";
import { changeRoles } from "../operators/end-operator.server.ts";
import { createInvitationUrl, inviteOperator } from "../operators/invite-operator.server.ts";
import { listPeople } from "./list-people.server.ts";

let shop: TestShop;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	boss = await createOperator(shop, "Boss", ["settings"]);
});
afterAll(() => shop?.close());

const act = (operator: TestOperator, name: string, fields: Record<string, string>) =>
	operator.post("/bureau/equipe", { act: name, key: crypto.randomUUID(), ...fields });

const findInvitation = (email: string) =>
	shop.shop.db
		.selectFrom("operators.invitation")
		.selectAll()
		.where("email", "=", email)
		.orderBy("created_at", "desc")
		.executeTakeFirstOrThrow();

const findId = async (email: string) =>
	(await shop.shop.db.selectFrom("operators.user").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

/** Invites a person at the desk. @returns the invitation's link. */
async function invite(operator: TestOperator, name: string) {
	const email = `${name}@bureau.example`;
	await act(operator, "invite", { name, email, "role-serve": "on" });
	const invitation = await findInvitation(email);
	return { id: invitation.id, path: new URL(createInvitationUrl(shop.shop, invitation)).pathname };
}

/** 200: accepted; 302: the link is closed. */
const accept = async (path: string) => (await createBrowser(shop.url).post(path, { password: "une longue phrase de passe" })).status;

test("an open invitation can be cancelled, once; its link then opens nothing", async () => {
	const { id, path } = await invite(boss, "ana");
	expect(await (await boss.ask("/bureau/equipe")).text()).toContain("l’invitation <!-- -->d’ana");
	expect(await (await act(boss, "cancel-invitation", { invitation: id })).text()).toContain("L’invitation est annulée");
	expect(await accept(path)).toBe(302);
	expect(await (await boss.ask("/bureau/equipe")).text()).not.toContain("l’invitation de");
	expect(await (await act(boss, "cancel-invitation", { invitation: id })).text()).toContain("n’est plus ouverte");
	const trail = await shop.shop.db.selectFrom("desk_log").selectAll().where("verb", "=", "cancel-invitation").execute();
	expect(trail.map(({ outcome, change }) => [outcome, change])).toContainEqual(["done", { after: { person: "a…@bureau.example" } }]);
});

test("an accepted invitation cannot be cancelled", async () => {
	const { id, path } = await invite(boss, "ben");
	expect(await accept(path)).toBe(200);
	expect(await (await act(boss, "cancel-invitation", { invitation: id })).text()).toContain("n’est plus ouverte");
});

describe("an invitation ends with the right of its author", () => {
	test("who leaves", async () => {
		const eve = await createOperator(shop, "Eve", ["settings"]);
		const { path } = await invite(eve, "cleo");
		await closeAccess(shop.shop, await findId(eve.email));
		expect(await accept(path)).toBe(302);
	});

	test("who loses the role, also when the role comes back", async () => {
		const joe = await createOperator(shop, "Joe", ["settings"]);
		const { path } = await invite(joe, "dan");
		const id = await findId(joe.email);
		await changeRoles(shop.shop, id, ["serve"]);
		await changeRoles(shop.shop, id, ["settings"]);
		expect(await accept(path)).toBe(302);
	});

	test("who lost it while the invitation was made", async () => {
		const kim = await createOperator(shop, "Kim", ["settings"]);
		const id = await findId(kim.email);
		await changeRoles(shop.shop, id, ["serve"]);
		const invitation = { email: "dora@bureau.example", name: "Dora", roles: ["serve"], invitedBy: "Kim", invitedById: id } as const;
		expect(await accept(new URL(await inviteOperator(shop.shop, invitation)).pathname)).toBe(302);
	});

	test("and not with another change of roles, nor when another person leaves", async () => {
		const lou = await createOperator(shop, "Lou", ["settings"]);
		const { path } = await invite(lou, "ed");
		await changeRoles(shop.shop, await findId(lou.email), ["settings", "serve"]);
		await closeAccess(shop.shop, await findId((await createOperator(shop, "Mia", ["settings"])).email));
		expect(await accept(path)).toBe(200);
	});
});

test("roles are changed and access is closed by their forms, with both sides in the trail, but never of the last manager", async () => {
	const max = await createOperator(shop, "Max", ["serve"]);
	const person = await findId(max.email);
	const send = async (name: string, fields: Record<string, string>) =>
		(await (await act(boss, name, fields)).text()).replaceAll("\u00a0", " ");
	expect(await send("change-roles", { person, "role-serve": "on", "role-refund": "on" })).toContain("Les rôles sont changés.");
	expect(await send("end-sessions", { person })).toContain(
		"Sessions terminées : 1. Actions annulées : 0. Appareils désinscrits des alertes : 0.",
	);
	expect((await max.ask("/bureau/commandes")).status).toBe(302);
	expect(await send("end-operator", { person })).toContain("L’accès est fermé, et les sessions de cette personne sont terminées.");
	const gone = "Cette personne n’a pas d’accès ouvert.";
	expect(await send("end-operator", { person })).toContain(gone);
	expect(await send("change-roles", { person, "role-serve": "on" })).toContain(gone);
	const trail = shop.shop.db.selectFrom("desk_log").select("change").where("outcome", "=", "done").orderBy("id", "desc").limit(3);
	expect((await trail.execute()).map(({ change }) => change)).toEqual([
		{ after: { person, undone: 0, devices: 0, orders: 0, messages: 0 } },
		{ after: { person, undone: 0, devices: 0, orders: 0, messages: 0 } },
		{ before: { person, roles: "serve" }, after: { person, roles: "serve, refund" } },
	]);
	for (const { email } of (await listPeople(shop.shop)).people) if (email !== boss.email) await closeAccess(shop.shop, await findId(email));
	const last = "C’est la dernière personne qui peut inviter et régler : donnez d’abord ce rôle à une autre.";
	const me = await findId(boss.email);
	expect(await send("end-operator", { person: me })).toContain(last);
	expect(await send("change-roles", { person: me, "role-serve": "on" })).toContain(last);
});

test("nobody is invited under the name of a colleague, however it is written; the trail names who was invited", async () => {
	await createOperator(shop, "Zoe", ["serve"]);
	const inviteAs = async (name: string, email: string) => (await act(boss, "invite", { name, email, "role-serve": "on" })).text();
	for (const name of ["Zoé", " zoé ", "ZOE", "Z o\u00a0é", "zoe\u0301"])
		expect(await inviteAs(name, "autre@bureau.example"), name).toContain("porte déjà ce nom");
	expect(await inviteAs("Zoe", "zoe@bureau.example")).not.toContain("porte déjà ce nom");
	expect(await inviteAs("Zoé Martin", "autre@bureau.example")).toContain("L’invitation part par e-mail");
	const trail = await shop.shop.db.selectFrom("desk_log").select("change").where("verb", "=", "invite").execute();
	expect(trail).toContainEqual({ change: { after: { name: "Zoé Martin", person: "a…@bureau.example", roles: "serve" } } });
	expect(await (await boss.ask("/bureau/journal")).text()).toContain("Zoé Martin");
});

test("who is invited to see the months reads what that shows, in the e-mail and on its page; others do not", async () => {
	const shown = "Vous verrez les mois, leurs fichiers et les factures, qui portent des noms de clients. Chaque téléchargement est noté.";
	for (const [name, roles, email, page] of [
		["cabinet", ["months"], true, true],
		["gerant", ["serve", "months"], false, true],
		["lea", ["serve"], false, false],
	] as const) {
		const address = `${name}@bureau.example`;
		const url = await inviteOperator(shop.shop, { email: address, name, roles, invitedBy: "Boss" });
		const html = await (await createBrowser(shop.url).ask(new URL(url).pathname)).text();
		expect(html.includes(shown), name).toBe(page);
		const { id } = await findInvitation(address);
		const folder = join(shop.shop.environment.dataDir, "mails");
		const { text } = await vi.waitFor(() => readDemoMail(folder, id), { timeout: scaledTimeout(20_000), interval: 25 });
		expect(text.replaceAll(/\s+/g, " ").includes(shown), name).toBe(email);
		expect(text.includes("Boss vous donne accès aux comptes de la boutique"), name).toBe(email);
		expect(text.includes("où se servent les commandes"), name).toBe(!email);
	}
});

test("who returns has the name of the new invitation, which was compared with those of colleagues", async () => {
	const { path } = await invite(boss, "noe");
	expect(await accept(path)).toBe(200);
	const email = "noe@bureau.example";
	await closeAccess(shop.shop, await findId(email));
	const again = { email, name: "Noé Petit", roles: ["serve"], invitedBy: "Boss", invitedById: await findId(boss.email) } as const;
	expect(await accept(new URL(await inviteOperator(shop.shop, again)).pathname)).toBe(200);
	const named = shop.shop.db.selectFrom("operators.user").select("name").where("email", "=", email);
	expect(await named.executeTakeFirstOrThrow()).toEqual({ name: "Noé Petit" });
});

describe("what a person had to serve is given back", () => {
	const now = () => shop.shop.now();
	const later = (minutes: number) => new Date(now().getTime() + minutes * 60_000);
	/** Orders and conversations of a person: how many, and which time each has left. */
	async function giveWork(
		id: string,
		{ orders, messages }: { orders: readonly number[]; messages: readonly (readonly [number, boolean])[] },
	) {
		for (const minutes of orders) {
			const placed = await shop.placeOrder({});
			const claim = { operator_id: id, operator_name: "Vic", claimed_at: now(), expires_at: later(minutes) };
			await shop.shop.db
				.insertInto("order_claims")
				.values({ order_id: placed.id, ...claim })
				.execute();
		}
		for (const [minutes, isWaiting] of messages)
			await shop.shop.db
				.insertInto("conversations")
				.values({
					...{ id: crypto.randomUUID(), email: "ada@example.fr", name: "Ada", subject: "Question", is_automatic: false, last_at: now() },
					...{ waiting_since: isWaiting ? now() : null, claimed_by: id, claimed_name: "Vic", claimed_until: later(minutes) },
				})
				.execute();
	}
	const countWork = async (id: string) => [
		(await shop.shop.db.selectFrom("order_claims").select("order_id").where("operator_id", "=", id).execute()).length,
		(await shop.shop.db.selectFrom("conversations").select("id").where("claimed_by", "=", id).where("claimed_until", ">", now()).execute())
			.length,
	];
	const closed = "L’accès est fermé, et les sessions de cette personne sont terminées.";
	const sessions = "Sessions terminées : 1. Actions annulées : 0. Appareils désinscrits des alertes : 0.";
	test.each([
		[
			"end-operator",
			{},
			{ orders: [20, 20, 20], messages: [[20, true]] },
			`${closed} 3 commandes et 1 message attendent de nouveau quelqu’un.`,
		],
		["end-operator", {}, { orders: [20, -1], messages: [] }, `${closed} 1 commande attend de nouveau quelqu’un.`],
		[
			"end-operator",
			{},
			{
				orders: [],
				messages: [
					[20, false],
					[-1, true],
				],
			},
			closed,
		],
		["end-sessions", {}, { orders: [], messages: [[20, true]] }, `${sessions} 1 message attend de nouveau quelqu’un.`],
		[
			"end-sessions",
			{},
			{
				orders: [],
				messages: [
					[20, true],
					[20, true],
				],
			},
			`${sessions} 2 messages attendent de nouveau quelqu’un.`,
		],
		[
			"change-roles",
			{ "role-refund": "on" },
			{ orders: [20, 20], messages: [] },
			"Les rôles sont changés. 2 commandes attendent de nouveau quelqu’un.",
		],
		["change-roles", { "role-refund": "on" }, { orders: [], messages: [] }, "Les rôles sont changés."],
	] as const)("by %s %j: %j", async (name, fields, work, sentence) => {
		const id = await findId((await createOperator(shop, `Vic${crypto.randomUUID().slice(0, 8)}`, ["serve"])).email);
		await giveWork(id, work);
		const page = await (await act(boss, name, { person: id, ...fields })).text();
		expect(page.replaceAll("\u00a0", " ")).toContain(`${sentence}<`);
		expect(await countWork(id)).toEqual([0, 0]);
	});

	test("and stays with who may still serve", async () => {
		const id = await findId((await createOperator(shop, "Wim", ["serve", "refund"])).email);
		await giveWork(id, { orders: [20], messages: [[20, true]] });
		await act(boss, "change-roles", { person: id, "role-serve": "on" });
		expect(await countWork(id)).toEqual([1, 1]);
	});
});
