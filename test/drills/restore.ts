// npm run restore-drill [-- --orders 12]
// Orders, a dump, more orders, the loss of the database, and the restore as docs/backup.md says it: proves from outside (the payment
// provider's books, the mails that customers have, the bucket) and from inside that no paid order is lost, and no number or mail issued twice.
// Needs the tools of PostgreSQL, such as Debian's package postgresql; as root it runs them as a user without privileges.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { services } from "../../app/catalogue/services.ts";
import { readProviderBooks, readShopBooks } from "../faults/books.ts";
import { beCustomer, type CustomersOrder } from "../faults/customers.ts";
import { findFailures } from "../faults/find-failures.ts";
import { findDamaged, reconcileLater } from "../faults/outside-checks.ts";
import { waitUntilQuiet } from "../faults/quiet.ts";
import { openClient } from "../http-client.ts";
import { knownCompanies } from "../known-companies.ts";
import { withClient } from "../postgres.ts";
import { openShop } from "./drilled-shop.ts";
import { makePostgres } from "./own-postgres.ts";

const { values } = parseArgs({ options: { orders: { type: "string", default: "12" } } });
const orders = Number(values.orders);
if (!Number.isInteger(orders) || orders < 4) {
	console.error("Usage: npm run restore-drill [-- --orders 12], of four or more");
	process.exit(1);
}
const seed = 20261123;
const halfWay = 4;

await using undo = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, async () => {
		await undo.disposeAsync();
		process.exit(1);
	});
const postgres = makePostgres(undo);
if (postgres === null) {
	console.error("This drill needs the tools of PostgreSQL (initdb, pg_dump, pg_restore…). On Debian: apt-get install postgresql");
	process.exit(1);
}
const connection = { host: postgres.folder, port: 5432, user: "shop", database: "shop" };
const databaseUrl = `postgres://shop@localhost/shop?host=${encodeURIComponent(postgres.folder)}`;

step(`a shop on ${postgres.version}, whose role has no privileges`);
postgres.type(`psql -d postgres -c "create role shop login"`);
postgres.type("createdb -O shop shop");
const shop = await openShop(undo, databaseUrl);
const { stripe, smtp, environment } = shop;
await desk("migrate");
let stop = await shop.start();
const client = openClient(undo, shop.url, 10);
const scene = { stripe, shop: client, companies: await knownCompanies(connection), seed };
const customers: CustomersOrder[] = [];

step(`${orders} orders, then the dump`);
await comeAndGo(orders);
await untilQuiet();
postgres.type(documentedLine("pg_dump -Fc"), { DATABASE_URL: databaseUrl });
const inDump = customers.length;

step(`${orders} more orders; then ${halfWay} whose mails cannot leave, and a refund that the provider cannot carry out`);
await comeAndGo(orders);
await untilQuiet();
smtp.controls.refuseData("451 4.3.0 Try again later");
stripe.failNext({ path: "POST /v1/refunds", kind: "503", times: 100_000 });
const delivered = customers.slice(0, inDump).find(({ way, number }) => way === "buy" && number !== null);
if (!delivered?.number) throw new Error("no order of the dump was delivered: there is nothing to refund after it");
await desk("orders", "refund", delivered.number);
delivered.way = "dashboard"; // all of it goes back, once
for (let index = 0; index < halfWay; index++) customers.push(await orderHalfWay(index));
await until("every change is copied", `select count(*) from order_copy_requests`);
await until(
	"each invoice has its PDF",
	"select count(*) from orders where paid_at is not null and not exists (select from invoices where order_id = orders.id and document_id is not null)",
);
const numbersBefore = numbersByRecipient();
if (numbersBefore.size === 0) throw new Error("no customer has an invoice yet: there is no number that could change its customer");

step("the database is killed, and its data is gone");
postgres.crash();
await stop();
postgres.start();
postgres.type("dropdb shop");

step("the restore, as the document says");
postgres.type(documentedLine("createdb -O shop shop"));
await desk("migrate");
const lostBefore = await reconcileLater({ ...environment, LOG_LEVEL: "silent" }, readProviderBooks(stripe));
console.log(await desk("orders", "recreate", "--all"));
console.log(await desk("orders", "reconcile"));
smtp.controls.refuseData();
stripe.failNoMore();
stop = await shop.start();
await comeAndGo(3);
await untilQuiet();

step("counting");
const books = await readShopBooks(connection);
// who never paid has no copy: such an order is gone, with what it was told
const unpaid = (customer: CustomersOrder) => stripe.state.sessions.get(customer.sessionId ?? "")?.payment_status !== "paid";
const lostUnpaid = customers.filter(
	(customer) => unpaid(customer) && books.orders.every(({ customer_email }) => customer_email !== customer.email),
);
const counted = customers.filter((customer) => !lostUnpaid.includes(customer));
const told = shop.mails.filter(({ to }) => lostUnpaid.every(({ email }) => email !== to));
const faults: Record<string, string[]> = {
	...findFailures({
		customers: counted,
		shop: books,
		provider: readProviderBooks(stripe),
		mailServer: told.map(({ id }) => id),
		damaged: await findDamaged(environment, books.documents),
	}),
	"paid orders not served": books.orders
		.filter(({ status }) => ["paid", "processing"].includes(status))
		.map(({ order_number }) => order_number),
	"numbers with two customers": [...numbersByRecipient()].filter(([, people]) => people.size > 1).map(([number]) => number),
	"numbers that changed their customer": [...numbersBefore].flatMap(([number, people]) =>
		sameAs(people, numbersByRecipient().get(number)) ? [] : [number],
	),
	"numbers that customers have and the books do not": missingNumbers(await numbersInBooks()),
	"mails that one customer has twice": twice(told.map(({ to, subject, number }) => `${to}: ${subject} ${number ?? ""}`)),
	"differences that the nightly comparison finds": await reconcileLater(environment, readProviderBooks(stripe)),
	"customers without a proper answer": counted.flatMap(({ email, way, complaints }) =>
		complaints.map((complaint) => `${email} (${way}): ${complaint}`),
	),
};
if (lostBefore.length < orders / 2) faults["the accident lost too little to prove anything"] = [`${lostBefore.length} differences`];
const rows: [string, number][] = [
	["orders", customers.length],
	["orders in the dump", inDump],
	["payments and refunds that the restored database did not know", lostBefore.length],
	["unpaid orders that no copy has", lostUnpaid.length],
	["invoices and credit notes", books.invoices.length],
	["mails that customers have", told.length],
];
console.log("\nWhat happened");
for (const [what, count] of rows) console.log(`  ${String(count).padStart(5)}  ${what}`);
console.log("\nWhat must not be");
for (const [what, cases] of Object.entries(faults)) {
	console.log(`  ${String(cases.length).padStart(5)}  ${what}`);
	for (const one of cases.slice(0, 20)) console.log(`         ${one}`);
}
const broken = Object.values(faults).some((cases) => cases.length > 0);
console.log(broken ? "\nSomething was lost, or came twice." : "\nNothing was lost, and nothing came twice.");
await stop();
process.exitCode = broken ? 1 : 0;

function step(words: string): void {
	console.log(`… ${words}`);
}

async function comeAndGo(count: number): Promise<void> {
	const first = customers.length;
	customers.push(...(await Promise.all(Array.from({ length: count }, (_, index) => beCustomer(scene, first + index)))));
}

/** Orders and pays, and looks at nothing more. */
async function orderHalfWay(index: number): Promise<CustomersOrder> {
	const email = `half-way-${index}@bench.example`;
	const { siren, name } = scene.companies[index] ?? { siren: "", name: "" };
	const { price, deliveryMethod } = services.express;
	const answer = await client.ask("/api/create-payment", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			orderData: { siren, companyName: name, serviceType: "express", amount: price, deliveryMethod },
			customerData: {
				...{ email, firstName: "Camille", lastName: "Martin", phone: "", company: "" },
				address: "",
				postalCode: "",
				city: "",
			},
		}),
	});
	const sessionId = (JSON.parse(answer.body.toString()) as { url: string }).url.split("/").at(-1) ?? "";
	stripe.pay(sessionId);
	const nothing = { number: null, cancelled: null, withdrawn: false, deliveredAfter: null, failures: 0, complaints: [] };
	return { email, service: "express", way: "buy", waived: false, sessionId, ...nothing };
}

/** Runs a command of the shop, as `npm run` would. */
async function desk(...words: string[]): Promise<string> {
	// its partners are in this process, which must not wait for it with its hands tied
	const { stdout } = await promisify(execFile)(process.execPath, ["main.ts", ...words], { env: { ...process.env, ...environment } });
	return stdout;
}

/** The line of the document that begins so, to be typed as it stands there. */
function documentedLine(beginning: string): string {
	const document = readFileSync(new URL("../../docs/backup.md", import.meta.url), "utf8");
	const found = document.match(new RegExp(`(?:^|\`) *(${beginning}[^\`\n]*)`, "m"))?.[1];
	if (found === undefined) throw new Error(`docs/backup.md has no line that begins with « ${beginning} »`);
	return found;
}

async function untilQuiet(): Promise<void> {
	const left = await waitUntilQuiet(connection, stripe, { timeout: 400_000, sweep: false });
	if (left !== "") throw new Error(`still under way: ${left}`);
}

async function until(what: string, countLeft: string): Promise<void> {
	for (const began = performance.now(); ; await wait(500)) {
		const { rows: found } = await withClient(connection, (one) => one.query<{ count: string }>(countLeft));
		if (found[0]?.count === "0") return;
		if (performance.now() - began > 150_000) throw new Error(`not until ${what}: ${found[0]?.count} left`);
	}
}

/** Who has which number. */
function numbersByRecipient(): Map<string, Set<string>> {
	const found = new Map<string, Set<string>>();
	for (const { number, to } of shop.mails) if (number !== null) found.set(number, (found.get(number) ?? new Set()).add(to));
	return found;
}

async function numbersInBooks(): Promise<Set<string>> {
	const { rows: found } = await withClient(connection, (one) => one.query<{ number: string }>("select number from invoices"));
	return new Set(found.map(({ number }) => number));
}

function missingNumbers(known: Set<string>): string[] {
	return [...numbersByRecipient().keys()].filter((number) => !known.has(number));
}

function sameAs(one: Set<string>, other: Set<string> | undefined): boolean {
	return other !== undefined && one.size === other.size && [...one].every((each) => other.has(each));
}

function twice(texts: string[]): string[] {
	return texts.filter((text, index) => texts.indexOf(text) !== index);
}
