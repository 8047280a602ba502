import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createOperator } from "../../../test/operators.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { termsTick } from "../../catalogue/text-versions.ts";
import type { DoctorContext } from "../../commands/doctor/check.ts";
import { lawChecks } from "../../commands/doctor/check-law.server.ts";
import { findSentEmail, listSentEmails } from "../../mail/sent-emails.store.server.ts";
import { createTermsRecorder } from "./record-terms.server.ts";
import { hasTerms, insertTerms } from "./terms.store.server.ts";

// Each version of the terms is kept, each order names its own, and the confirmation carries it (docs/rules.md, R210).

let desk: TestShop;
beforeAll(async () => {
	desk = await createTestShop();
});
afterAll(() => desk?.close());

const both = { terms: true, waiveWithdrawal: true, textVersion: "2026-11-27" };
const listVersions = () => desk.shop.db.selectFrom("terms_versions").selectAll().execute();

/** The confirmation of an order as it left, with its files. */
async function readConfirmation(orderId: string) {
	const sent = await vi.waitFor(
		async () => {
			const found = (await listSentEmails(desk.shop.db, orderId)).find(({ kind }) => kind === "confirmation");
			if (!found) throw new Error("the confirmation is not sent yet");
			return found;
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);
	const text = (await findSentEmail(desk.shop.db, sent.mailId))?.text ?? "";
	return { text: text.replaceAll("\u00a0", " "), files: sent.attachments };
}

async function getVersionOf(orderId: string) {
	const { terms_sha256 } = await desk.orderRow(orderId);
	const version = (await listVersions()).find(({ sha256 }) => sha256 === terms_sha256);
	if (!version) throw new Error("the order names no version");
	return version;
}

const hash = async (bytes: Uint8Array) => Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toString("hex");

test("the terms in force are behind a link of /cgv, before any order, and the first order names that version", async () => {
	expect(await listVersions()).toEqual([]);
	expect(await (await desk.ask("/cgv")).text()).toContain('href="/cgv/version/actuelle"');
	const answers = await Promise.all([desk.ask("/cgv/version/actuelle"), desk.ask("/cgv/version/actuelle")]);
	const versions = await listVersions();
	expect(versions).toHaveLength(1);
	const path = `/cgv/version/${versions[0]?.sha256}`;
	for (const { status, headers } of answers)
		expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([302, path, "no-store"]);
	expect((await desk.ask(path)).headers.get("content-type")).toBe("application/pdf");
	const { id } = await desk.placeOrder();
	expect((await getVersionOf(id)).sha256).toBe(versions[0]?.sha256);
});

describe("an order names the terms in force, and its confirmation attaches them", () => {
	test.each([
		["both boxes ticked", both, "acceptees-le_\\d{4}-\\d\\d-\\d\\d", "que vous avez acceptées sont jointes"],
		[
			"the first box alone",
			{ ...both, waiveWithdrawal: false },
			"acceptees-le_\\d{4}-\\d\\d-\\d\\d",
			"que vous avez acceptées sont jointes",
		],
		["no box shown, as by the API", undefined, "version-du_\\d{4}-\\d\\d-\\d\\d", "Nos conditions générales sont jointes"],
	])("%s", async (_, consents, name, sentence) => {
		const { id } = await desk.completeOrder({ ...(consents && { consents }) });
		const version = await getVersionOf(id);
		const { text, files } = await readConfirmation(id);
		expect(files.map((file) => file.name)).toEqual([
			expect.stringMatching(/^Facture/),
			expect.stringMatching(new RegExp(`^Conditions-generales_${name}\\.pdf$`)),
		]);
		expect(files[1]).toMatchObject({ sha256: await hash(version.pdf), bytes: version.pdf.length });
		expect(text).toContain(sentence);
		expect(text).toContain("le modèle de formulaire de rétractation et le rappel de vos garanties légales");
		expect(text).toContain(`/cgv/version/${version.sha256}`);
	});

	test("a purchase of several: each order names them, one confirmation attaches them", async () => {
		const { orders, payUrl } = await placePurchase(desk, [{}, {}, { service: "postal" }], { consents: both });
		const versions = await listVersions();
		expect(orders.map(({ terms_sha256 }) => terms_sha256)).toEqual(Array(3).fill(versions[0]?.sha256));
		await desk.payByCard(payUrl);
		const { text, files } = await readConfirmation(orders[0].id);
		expect(files[1]?.name).toMatch(/^Conditions-generales_acceptees-le_/);
		expect(text).toContain("que vous avez acceptées sont jointes");
	});

	test("an order of before the versions were kept has the link to the present terms", async () => {
		const { id, payUrl } = await desk.placeOrder({ consents: both });
		await desk.shop.db.updateTable("orders").set({ terms_sha256: null }).where("id", "=", id).execute();
		await desk.payByCard(payUrl);
		const { text, files } = await readConfirmation(id);
		expect(files).toHaveLength(1);
		expect(text).toMatch(/\/cgv\s/);
		expect(text).not.toContain("jointes à ce message");
	});
});

describe("the versions", () => {
	test("are inserted once, however many orders there are, and never change", async () => {
		await desk.placeOrder();
		await desk.placeOrder();
		const versions = await listVersions();
		expect(versions).toHaveLength(1);
		expect(versions[0]?.text).toContain(desk.shop.environment.shop.legalEntity);
		await expect(sql`update terms_versions set text = 'autre'`.execute(desk.shop.db)).rejects.toThrow("is not changed");
	});

	test("are recorded by the next call when the database did not answer", async () => {
		let fails = true;
		const { shop } = desk;
		const context = {
			now: shop.now,
			get db() {
				if (fails) throw new Error("no database");
				return shop.db;
			},
		};
		const record = createTermsRecorder(context, shop.textVariables);
		await expect(record()).rejects.toThrow("no database");
		fails = false;
		const recorded = await record();
		expect(await hasTerms(shop.db, recorded)).toBe(true);
		fails = true; // the second call asks nothing
		expect(await record()).toBe(recorded);
	});

	test("are public files under their hash; any other address is unknown", async () => {
		const { id } = await desk.placeOrder({ consents: both });
		const version = await getVersionOf(id);
		const answer = await desk.ask(`/cgv/version/${version.sha256}`);
		expect(answer.status).toBe(200);
		expect(answer.headers.get("content-type")).toBe("application/pdf");
		expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="Conditions-generales_version-du_${version.version}.pdf"`);
		expect(Buffer.from(await answer.arrayBuffer()).equals(version.pdf)).toBe(true);
		for (const other of [`${"0".repeat(64)}`, version.sha256.slice(1), `${version.sha256}0`, version.sha256.toUpperCase(), "x"])
			expect((await desk.ask(`/cgv/version/${other}`)).status, other).toBe(404);
	});

	test("the doctor names the orders whose version is missing", async () => {
		const { id, number } = await desk.placeOrder();
		const examine = () => lawChecks.find(({ name }) => name === "terms")?.examine({ db: desk.shop.db } as DoctorContext);
		expect(await examine()).toEqual({ seen: "1 version", problems: [] });
		await desk.shop.db
			.updateTable("orders")
			.set({ terms_sha256: "1".repeat(64) })
			.where("id", "=", id)
			.execute();
		expect((await examine())?.problems).toEqual([`The terms of ${number} are missing.`]);
	});

	test("are kept beside others, each once, also when two processes insert one at the same time", async () => {
		const former = {
			sha256: "2".repeat(64),
			version: "2026-01-01",
			text: "Former terms",
			pdf: Buffer.from("%PDF"),
			first_seen_at: new Date(),
		};
		const { id } = await desk.placeOrder();
		const present = await getVersionOf(id);
		await desk.shop.db.insertInto("terms_versions").values(former).execute();
		await Promise.all([present, present, former].map((version) => insertTerms(desk.shop.db, version)));
		expect((await listVersions()).map(({ sha256 }) => sha256).sort()).toEqual([former.sha256, present.sha256].sort());
		expect(await hasTerms(desk.shop.db, former.sha256)).toBe(true);
		expect(await hasTerms(desk.shop.db, "3".repeat(64))).toBe(false);
	});
});

test("the form says before the order how long the contract is archived, and where (C. civ. art. 1127-1, 4°)", async () => {
	const html = (await (await desk.ask("/commande")).text()).replaceAll("<!-- -->", "");
	const page = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
	expect(page).toContain("Nous archivons le contrat 3 ans, et 10 ans dès 120,00 € : vous le retrouvez dans « Mes commandes ».");
});

describe("a box that was ticked before a new text", () => {
	const fields = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", service: "express", siren: "552032534" };
	const open = async (acceptTerms: string) => (await desk.ask(`/paiement?${new URLSearchParams({ ...fields, acceptTerms })}`)).text();

	test("carries the text that its page showed", async () => {
		expect(await (await desk.ask("/commande")).text()).toContain(`name="acceptTerms" value="${termsTick}"`);
	});

	test.each([
		["the present text", termsTick, false],
		["a link or a program, which names no text", "on", false],
		["a former text", "0123456789ab", true],
		["nothing", "", true],
	])("%s: whether the payment page asks", async (_, tick, asks) => {
		expect((await open(tick)).includes('name="acceptTerms"')).toBe(asks);
	});
});

describe("a copy", () => {
	test("is behind a link of the order's page and of the purchase's", async () => {
		const { id, number } = await desk.placeOrder({ consents: both });
		const { sha256 } = await getVersionOf(id);
		expect((await openPage(number, `/suivi/${number}`)).includes(`/cgv/version/${sha256}`)).toBe(true);
		const { orders, payUrl } = await placePurchase(desk, [{}, {}], { consents: both });
		await desk.payByCard(payUrl);
		const [{ order_number }] = orders;
		expect((await openPage(order_number, `/suivi/${order_number}/ensemble`)).includes(`/cgv/version/${sha256}`)).toBe(true);
	});

	/** A page of tracking, opened with number and e-mail address. */
	async function openPage(number: string, path: string): Promise<string> {
		const opened = await desk.postForm("/suivi-commande", { email: "ada@example.fr", orderId: number });
		const cookie = opened.headers.getSetCookie().map((each) => each.split(";")[0]);
		return (await desk.ask(path, { headers: { cookie: cookie.join("; ") } })).text();
	}

	test("is a link of the order's page at the desk, for who serves it", async () => {
		const ada = await createOperator(desk, "Ada", ["serve"]);
		const { id, number } = await desk.placeOrder({ consents: both });
		const { sha256 } = await getVersionOf(id);
		const links = async () => [...(await (await ada.ask(`/bureau/commandes/${number}`)).text()).matchAll(/href="(\/cgv\/version[^"]*)"/g)];
		expect((await links()).map(([, path]) => path)).toEqual([`/cgv/version/${sha256}`]);
		await desk.shop.db.updateTable("orders").set({ terms_sha256: null }).where("id", "=", id).execute();
		expect(await links()).toEqual([]);
	});
});
