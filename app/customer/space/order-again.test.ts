import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertOrder, type OrderValues } from "../../../test/orders.ts";
import { createSpaceShop, readCookie, readPlain, type SpaceShop } from "../../../test/shops/customer-space.ts";

const ordersPerHour = 10;

let shop: SpaceShop;
beforeAll(async () => {
	shop = await createSpaceShop({ ORDER_LIMITS: `client=${ordersPerHour}` });
});
afterAll(() => shop?.stop());

const email = "again@example.fr";
const ceased = "005420039";
/** In no register any more. */
const gone = "900000001";

const paid = { status: "completed", customer_email: email, first_name: "Ada", last_name: "Lovelace" } as const;
const add = (values: OrderValues) =>
	insertOrder(shop.shop.db, { ...paid, paid_at: shop.shop.now(), created_at: shop.shop.now(), ...values });

/** Opens the form to which an answer leads, in the browser that got the answer. */
const follow = (answer: Response) => shop.visit(answer.headers.get("location") ?? "", readCookie(answer));

test("a whole purchase fills in companies, services, references, billing and the letters' address, and says each line that is gone", async () => {
	const purchase_id = randomUUID();
	const billing = { billing_company: "CABINET LEROY", address: "1 rue A", postal_code: "75001", city: "Paris" };
	const letter = { delivery_name: "Grace Hopper", delivery_address: "2 rue B", delivery_postal_code: "69001", delivery_city: "Lyon" };
	const lines: OrderValues[] = [
		{ siren: "552032534", company_name: "DANONE", reference: "dossier 1", product_code: "express" },
		// its invoice was corrected since, which changes the first order of a purchase
		{ siren: "356000000", company_name: "LA POSTE", reference: "dossier 2", product_code: "postal", ...letter, billing_company: "LEROI" },
		{ siren: ceased, company_name: "CESSÉE", reference: "dossier 3", product_code: "standard" },
		{ siren: gone, company_name: "DISPARUE", reference: "=1+1", product_code: "standard" },
	];
	let number = "";
	for (const [index, line] of lines.entries()) {
		const order = await add({ ...billing, ...line, purchase_id, purchase_line: index + 1, ...(index === 0 && { id: purchase_id }) });
		if (index === 0) number = order.order_number;
	}
	const again = await shop.submit(`/mes-commandes/commande/${number}`, await shop.signIn(email), { ensemble: "1" });
	const form = await readPlain(await follow(again));
	for (const value of [
		"dossier 1",
		"dossier 2",
		"dossier 3",
		"=1+1",
		email,
		"Ada",
		"CABINET LEROY",
		"1 rue A",
		"Grace Hopper",
		"2 rue B",
		"69001",
	])
		expect([value, form.includes(`value="${value}"`)]).toEqual([value, true]);
	for (const said of ["DANONE", "LA POSTE", "Entreprise cessée", "Aucune entreprise n’a ce SIREN."])
		expect([said, form.includes(said)]).toEqual([said, true]);
	for (const service of ["express", "postal"]) expect(form).toMatch(new RegExp(`<option value="${service}" selected`));
	expect(form).toContain(`value="${gone}"`);
});

test("one line keeps its reference; without a company, its page says why", async () => {
	const [withReference, without, lost] = [
		await add({ siren: "552032534", reference: "dossier 9" }),
		await add({ siren: "552032534" }),
		await add({ siren: gone }),
	];
	const cookie = await shop.signIn(email);
	const orderAgain = (order: { order_number: string }) => shop.submit(`/mes-commandes/commande/${order.order_number}`, cookie, {});
	const withLine = await orderAgain(withReference);
	expect(withLine.headers.get("location")).toMatch(/^\/commande\/552032534\?commande=/);
	const lineForm = await readPlain(await follow(withLine));
	for (const value of ["dossier 9", "Lovelace"]) expect(lineForm).toContain(`value="${value}"`);
	const alone = await orderAgain(without);
	expect(alone.headers.get("location")).toMatch(/^\/commande\/552032534\?commande=/);
	expect(await readPlain(await follow(alone))).toContain('value="Lovelace"');
	const refused = await follow(await orderAgain(lost));
	expect([refused.status, refused.headers.get("location")]).toEqual([302, `/entreprise/${gone}`]);
});

test("a client that has filled in too many forms gets an empty one, and others do not", async () => {
	const alone = await add({ siren: "552032534", product_code: "standard" });
	const purchase_id = randomUUID();
	const first = await add({ id: purchase_id, purchase_id, purchase_line: 1 });
	await add({ purchase_id, purchase_line: 2 });
	const cookie = await shop.signIn(email);
	const client = "198.51.100.7";
	const limit = shop.shop.limits("order-forms", 4 * ordersPerHour, 3600);
	while ((await limit.take(client)).ok);
	const orderAgain = async (path: string, fields: Record<string, string>, from: string) =>
		(await shop.postForm(path, fields, { cookie, "x-forwarded-for": from })).headers.get("location");
	const requests: [path: string, fields: Record<string, string>, empty: string][] = [
		[`/mes-commandes/commande/${alone.order_number}`, {}, "/commande/552032534?service=standard"],
		["/mes-commandes/identites", { number: alone.order_number }, "/commande?service=standard"],
		[`/mes-commandes/commande/${first.order_number}`, { ensemble: "1" }, "/commande/plusieurs"],
	];
	for (const [path, fields, empty] of requests) {
		expect(await orderAgain(path, fields, client)).toBe(empty);
		expect(await orderAgain(path, fields, "198.51.100.8")).toContain("?commande=");
	}
});

test("a purchase of which one address was corrected is ordered again without that line", async () => {
	const purchase_id = randomUUID();
	const first = await add({ id: purchase_id, purchase_id, purchase_line: 1, company_name: "ALPHA", reference: "dossier 1" });
	await add({ purchase_id, purchase_line: 2, customer_email: "colleague@example.fr", reference: "dossier du collègue" });
	const again = await shop.submit(`/mes-commandes/commande/${first.order_number}`, await shop.signIn(email), { ensemble: "1" });
	const form = await readPlain(await follow(again));
	expect(form).toContain('value="dossier 1"');
	expect(form).not.toContain("dossier du collègue");
	// the form of one extract
	expect(again.headers.get("location")).toMatch(/^\/commande\/\d{9}\?commande=/);
});
