import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import yauzl from "yauzl";
import { knownCompanies } from "../../../test/known-companies.ts";
import { createOperator } from "../../../test/operators.ts";
import { createServing, plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { recordBounce } from "../../emails/bounces.server.ts";
import { resendEmail } from "../../emails/resend-email.server.ts";
import { runScheduledAct } from "../acts/perform-act.server.ts";
import { erasePerson } from "../retention/erase-person.server.ts";

// The e-mails of an order as they left, at the desk and in the evidence for a bank.

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
let manager: Awaited<ReturnType<typeof createOperator>>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
	manager = await createOperator(shop, "Marie", ["serve", "refund"]);
});
afterAll(() => shop?.close());

type Placed = Awaited<ReturnType<typeof serving.newOrder>>;

/** The paths of the e-mails of one name on the page of an order, newest first. */
async function listEmailPaths({ number }: Placed, label: string): Promise<string[]> {
	const page = await serving.readPage(number);
	return [...page.matchAll(/href="(\/bureau\/commandes\/[^"]+\/e-mails\/[^"]+)"[^>]*>E-mail : ([^<]+)/g)].flatMap(([, path = "", name]) =>
		name?.startsWith(label) ? path : [],
	);
}
const read = async (path: string) => plain(await (await serving.operator.ask(path)).text());
const getSentEmails = ({ id }: Placed) => shop.shop.db.selectFrom("sent_emails").selectAll().where("order_id", "=", id).execute();

async function changeCompany(order: Placed): Promise<string> {
	const key = crypto.randomUUID();
	const { siren = "" } = (await knownCompanies(shop.connection)).find((company) => company.siren !== "552032534") ?? {};
	expect(await serving.act("change-company", order.id, { siren, agreement: "par téléphone" }, key)).toMatchObject({ state: "scheduled" });
	await runScheduledAct(shop.shop, key);
	const { company_name } = await shop.orderRow(order.id);
	expect(company_name).not.toBe("DANONE");
	await shop.getMails(order, "company-changed");
	return company_name;
}

async function readEvidence({ number }: Placed): Promise<Record<string, string>> {
	const archive = Buffer.from(await (await manager.ask(`/bureau/argent/${number}/dossier.zip`)).arrayBuffer());
	const files: Record<string, string> = {};
	const zip = await yauzl.fromBufferPromise(archive);
	for await (const entry of zip.eachEntry()) files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
	return files;
}

describe("after a change of company", () => {
	test("the desk shows the confirmation that left, with its address, its files and dead links", async () => {
		const order = await serving.newOrder();
		const [mail] = await shop.getMails(order, "confirmation");
		const company = await changeCompany(order);
		const [path = ""] = await listEmailPaths(order, "Confirmation");
		const page = await read(path);
		for (const part of ["Tel qu’il est parti le", "ada@example.fr", "DANONE", "lien-retire", "Pièces jointes", "Facture_"])
			expect(page, part).toContain(part);
		expect(page).not.toContain(company);
		const documents = await shop.shop.db.selectFrom("documents").select("sha256").where("order_id", "=", order.id).execute();
		expect(page).toContain(documents[0]?.sha256);

		const file = await serving.operator.ask(`${path}/fichier`);
		expect(file.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
		const html = await file.text();
		expect([html.includes("DANONE"), html.includes(company)]).toEqual([true, false]);
		const token = /\/acces\/(\S+)/.exec(mail?.text ?? "")?.[1] ?? "?";
		for (const content of [html, page, JSON.stringify(await getSentEmails(order))]) expect(content).not.toContain(token);
		const link = /href="([^"]+\/acces\/[^"]+)"/.exec(html)?.[1] ?? "";
		expect([(await shop.ask(new URL(link).pathname)).status, (await shop.ask(`/suivi/${order.number}/acces/${token}`)).status]).toEqual([
			410, 303,
		]);
		const [changed = ""] = await listEmailPaths(order, "Entreprise corrigée");
		expect(await read(changed)).toContain(company);
	});

	test("the evidence has what left, and names what is only composed again", async () => {
		const order = await serving.newOrder();
		await shop.getMails(order, "confirmation");
		const company = await changeCompany(order);
		const files = await readEvidence(order);
		const find = (ending: string) => Object.entries(files).find(([name]) => name.endsWith(ending))?.[1] ?? expect.fail(ending);
		for (const ending of ["-confirmation.html", "-confirmation.txt"]) {
			expect(find(ending), ending).toContain("DANONE");
			expect(find(ending), ending).not.toContain(company);
		}
		expect(find("-company-changed.html")).toContain(company);
		expect(find("-confirmation.txt")).toMatch(/Adresse.+ada@example\.fr[\s\S]+Facture\S+, \d+ octets, empreinte SHA-256 [\da-f]{64}/);
		expect(find("0-lisez-moi.txt")).not.toContain("recompos");
		expect(JSON.stringify(files)).not.toMatch(/acces\/(?!lien-retire)/);

		await shop.shop.db.deleteFrom("sent_emails").where("order_id", "=", order.id).where("kind", "=", "confirmation").execute();
		const later = await readEvidence(order);
		const [composed = ""] = Object.keys(later).filter((name) => name.endsWith("-confirmation-recompose.html"));
		expect(later[composed]).toContain(company);
		expect(later["0-lisez-moi.txt"]).toContain(composed);
		expect(later["0-lisez-moi.txt"]).not.toContain("company-changed");
		expect(later["access_activity_log.txt"]).toContain("texte d’origine non conservé");
	});

	test("an e-mail of which nothing is stored is composed again, and the page says so", async () => {
		const order = await serving.newOrder();
		await shop.getMails(order, "confirmation");
		await shop.shop.db.deleteFrom("sent_emails").where("order_id", "=", order.id).execute();
		const company = await changeCompany(order);
		const [path = ""] = await listEmailPaths(order, "Confirmation");
		const page = await read(path);
		for (const part of ["Recomposé aujourd’hui", "n’a pas été conservé", company]) expect(page, part).toContain(part);
		expect(page).not.toContain("Tel qu’il est parti");
	});
});

test("an e-mail that was sent again has both its sendings, each to its address", async () => {
	const order = await serving.newOrder();
	await shop.getMails(order, "confirmation");
	expect(await resendEmail(shop.shop, { orderId: order.id, kind: "confirmation", to: "ada.nouvelle@example.fr" })).toEqual({ ok: true });
	await shop.getMails(order, "confirmation");
	const paths = await listEmailPaths(order, "Confirmation");
	expect(paths).toHaveLength(2);
	const addresses = (await Promise.all(paths.map(read))).map((page) => /parti le [^<]+<span[^>]*>([^<]+)/.exec(page)?.[1]);
	expect(addresses.sort()).toEqual(["ada.nouvelle@example.fr", "ada@example.fr"]);
	expect(Object.keys(await readEvidence(order)).filter((name) => name.endsWith("-confirmation.html"))).toHaveLength(2);
	const [other] = [await serving.newOrder()];
	expect((await serving.operator.ask((paths[0] ?? "").replace(order.number, other.number))).status).toBe(404);
});

test("an e-mail that came back, and was sent again, is still said to have come back", async () => {
	const order = await serving.newOrder();
	await shop.getMails(order, "confirmation");
	const query = shop.shop.db.selectFrom("mails").selectAll().where("order_id", "=", order.id).where("kind", "=", "confirmation");
	const mail = await query.executeTakeFirstOrThrow();
	expect(await shop.shop.db.transaction().execute((trx) => recordBounce(shop.shop, trx, mail, "550 unknown user"))).toBe(true);
	expect(await resendEmail(shop.shop, { orderId: order.id, kind: "confirmation", to: "ada.nouvelle@example.fr" })).toEqual({ ok: true });
	await shop.getMails(order, "confirmation");
	const texts = Object.entries(await readEvidence(order)).filter(([name]) => name.endsWith("-confirmation.txt"));
	expect(texts.map(([, text]) => [text.includes("ada.nouvelle@"), /accepté le .+, revenu le /.test(text)]).toSorted()).toEqual([
		[false, true],
		[true, false],
	]);
	expect(await serving.readPage(order.number)).toMatch(/parti, revenu le [^<]+ ; remplacé par un nouvel envoi/);
});

test("the extract's link of a stored e-mail gives no document", async () => {
	const order = await serving.newOrder();
	await serving.drop(order.number, serving.newExtract());
	const key = crypto.randomUUID();
	await serving.act("deliver", order.id, { draft: await serving.findDraftId(order.id) }, key);
	await runScheduledAct(shop.shop, key);
	const [mail] = await shop.getMails(order, "document-ready");
	const [path = ""] = await listEmailPaths(order, "Extrait prêt");
	const link = /\/documents\/\S+/.exec(mail?.text ?? "")?.[0] ?? "?";
	const dead = /\/documents\/[^"\s<]+/.exec(await read(path))?.[0] ?? "?";
	expect(dead).toBe("/documents/lien-retire");
	expect([(await shop.ask(link)).status, (await shop.ask(dead)).ok]).toEqual([200, false]);
});

test("an erasure deletes what left", async () => {
	const order = await serving.newOrder("express", { customer: { email: "effacee@example.fr" } });
	await shop.getMails(order, "confirmation");
	const [path = ""] = await listEmailPaths(order, "Confirmation");
	await shop.shop.db.updateTable("orders").set({ status: "completed", completed_at: shop.shop.now() }).where("id", "=", order.id).execute();
	expect(await getSentEmails(order)).not.toEqual([]);
	expect((await erasePerson(shop.shop, "effacee@example.fr")).orders.erased).toEqual([order.number]);
	expect(await getSentEmails(order)).toEqual([]);
	expect((await serving.operator.ask(path)).status).toBe(404);
});
