import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { roles } from "../desk/operators/roles.ts";
import { signInSentences } from "../desk/sign-in/sign-in-sentences.ts";
import { commandNames, loadCommand } from "../run-program.ts";
import { runDeskCommand } from "./desk-commands.server.ts";

let shop: TestShop;
let at = new Date("2026-11-20T10:00:00Z");
beforeAll(async () => {
	shop = await createTestShop({ now: () => at });
});
afterAll(() => shop?.close());

const desk = (...args: string[]) => runDeskCommand(shop.shop, args);
const list = async () => (await desk("list")).text;

describe("npm run desk", () => {
	test("the desk answers 404 before anybody was invited, and leads to the sign-in afterwards", async () => {
		const visit = async () => {
			const { status, headers } = await shop.ask("/bureau", { redirect: "manual" });
			return { status, location: headers.get("location")?.split("?")[0] };
		};
		expect(await visit()).toMatchObject({ status: 404 });
		expect(await list()).toBe("Personne n’a accès au bureau, et aucune invitation n’attend.");
		expect(await desk("invite", "ada@bureau.example", "--name", "Ada Martin", "--roles", "operator")).toMatchObject({ ok: true });
		expect(await visit()).toEqual({ status: 302, location: "/bureau/connexion" });
	});

	test.each([
		["operator", "serve"],
		["manager", roles.join(", ")],
		["refund,serve", "serve, refund"],
		["operator,refund", "serve, refund"],
	])("« %s » gives %s, and the open invitation is listed until it ends", async (typed, given) => {
		const email = `${typed.replace(",", "-")}@bureau.example`;
		const invited = await desk("invite", email, "--name", `Bo ${typed}`, "--roles", typed);
		expect(invited.text).toMatch(/pendant 48 heures :\n\S+\/bureau\/invitation\/\S+$/);
		const line = (await list()).split("\n").find((text) => text.includes(email));
		expect(line?.split(/ {2,}/)).toEqual([
			`Bo ${typed}`,
			email,
			expect.stringMatching(`^${given} ; invitation ouverte jusqu’au dimanche 22 novembre 2026`),
		]);
		expect(await desk("end", email.toUpperCase())).toEqual({ ok: true, text: "L’invitation est annulée." });
		expect(await list()).not.toContain(email);
		const page = await (await shop.ask(new URL(invited.text.split("\n")[1] ?? "").pathname)).text();
		expect(page).toContain(signInSentences.closed);
		expect(await desk("end", email)).toEqual({ ok: false, text: "Cette personne n’a ni accès ni invitation." });
	});

	test("an invitation that expired is not listed, and cannot be ended", async () => {
		await desk("invite", "late@bureau.example", "--name", "Lou", "--roles", "serve");
		const before = at;
		at = new Date(before.getTime() + 48 * 3_600_000);
		try {
			expect(await list()).not.toContain("late@bureau.example");
			expect(await desk("end", "late@bureau.example")).toMatchObject({ ok: false });
		} finally {
			at = before;
		}
	});

	test.each([
		[["invite", "not an address", "--name", "Ada", "--roles", "serve"], "adresse e-mail"],
		[["invite", "a@b.fr", "--roles", "serve"], "nom de la personne"],
		[["invite", "a@b.fr", "--name", "x".repeat(101), "--roles", "serve"], "nom de la personne"],
		[["invite", "a@b.fr", "--name", "Ada"], "ou operator, ou accountant, ou manager"],
		[["invite", "a@b.fr", "--name", "Ada", "--roles", "boss"], "ou operator, ou accountant, ou manager"],
		[
			["invite", "a@b.fr", "--role", "manager"],
			'Usage : npm run desk -- invite <e-mail> --name "Prénom Nom" --roles operator|accountant|manager|serve,refund',
		],
		[["revoke", "a@b.fr"], "Usage : npm run desk -- <verbe>"],
		[["toString"], "Usage : npm run desk -- <verbe>"],
	])("refuses %j", async (args, sentence) => {
		expect(await desk(...args)).toEqual({ ok: false, text: expect.stringContaining(sentence) });
	});
});

test("a member whose access ended is listed so, and a new invitation of theirs is ended as one", async () => {
	await createOperator(shop, "Max", ["settings"]);
	const { email } = await createOperator(shop, "Eve", ["serve", "refund"]);
	const line = async () => (await list()).split("\n").filter((text) => text.includes(email));
	expect(await line()).toEqual([expect.stringMatching(/^Eve +\S+ +serve, refund$/)]);
	expect(await desk("end", email)).toEqual({ ok: true, text: "L’accès est fermé, et ses sessions sont terminées." });
	expect(await line()).toEqual([expect.stringMatching(/^Eve +\S+ +accès fermé le /)]);
	await desk("invite", email, "--name", "Eve", "--roles", "serve");
	expect(await line()).toEqual([expect.stringContaining("accès fermé"), expect.stringContaining("invitation ouverte")]);
	expect(await desk("end", email)).toEqual({ ok: true, text: "L’invitation est annulée." });
});

const helps = ["help", "--help", "-h"];

test.each(commandNames)("« %s help » prints its usage, and is no wrong use", async (name) => {
	const command = await loadCommand(name);
	for (const help of helps) {
		const result = await command?.(shop.connection, [help], shop.shop.environment);
		expect(result, help).toEqual({ ok: true, text: expect.stringMatching(new RegExp(`^Usage ?: npm run ${name} ?`)) });
	}
});

test.each([
	["orders", "upload", /^Usage : npm run orders -- upload KB-… .*\n {6}\S/],
	["desk", "end", /^Usage : npm run desk -- end <e-mail>\n {6}ferme/],
])("« %s %s --help » prints the usage of the verb", async (name, verb, text) => {
	const command = await loadCommand(name);
	for (const help of helps)
		expect(await command?.(shop.connection, [verb, help], shop.shop.environment)).toEqual({ ok: true, text: expect.stringMatching(text) });
});
