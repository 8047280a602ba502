// npm run restore-drill [-- --orders 12]
// Places orders, dumps the database, places more orders, loses the database and restores it as docs/backup.md says. Then it compares the
// books of the provider and the shop, the customers' e-mails and the bucket: no paid order may be lost, no number or e-mail issued twice.
// Needs the tools of PostgreSQL, such as Debian's package postgresql; root runs them as a user without privileges.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { services } from "../../app/catalogue/services.ts";
import type { OrderNumber } from "../../app/orders/order-number.server.ts";
import { findOrderByReference } from "../../app/orders/orders.store.server.ts";
import { besideShop } from "../../test/beside-shop.ts";
import { openClient } from "../../test/http-client.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { withClient } from "../../test/postgres.ts";
import { grantRefund } from "../../test/refunds.ts";
import { readProviderBooks, readShopBooks } from "../faults/books.ts";
import { type CustomerOrder, playCustomer } from "../faults/customers.ts";
import { findFailures } from "../faults/find-failures.ts";
import { findDamaged, reconcileLater } from "../faults/outside-checks.ts";
import { waitUntilQuiet } from "../faults/quiet.ts";
import { startDrilledShop } from "./drilled-shop.ts";
import { startSystemPostgres } from "./system-postgres.ts";

const { values } = parseArgs({ options: { orders: { type: "string", default: "12" } } });
const orders = Number(values.orders);
if (!Number.isInteger(orders) || orders < 4) {
	console.error("Usage: npm run restore-drill [-- --orders 12], at least four");
	process.exit(1);
}
const seed = 20261123;
const unfinishedOrders = 4;

await using undo = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, async () => {
		await undo.disposeAsync();
		process.exit(1);
	});
const postgres = startSystemPostgres(undo);
if (postgres === null) {
	console.error("This drill needs the tools of PostgreSQL (initdb, pg_dump, pg_restore…). On Debian: apt-get install postgresql");
	process.exit(1);
}
const connection = { host: postgres.folder, port: 5432, user: "shop", database: "shop" };
const databaseUrl = `postgres://shop@localhost/shop?host=${encodeURIComponent(postgres.folder)}`;

step(`a shop on ${postgres.version}, whose role has no privileges`);
postgres.run(`psql -d postgres -c "create role shop login"`);
postgres.run("createdb -O shop shop");
const shop = await startDrilledShop(undo, databaseUrl);
const { stripe, smtp, environment } = shop;
await runCommand("migrate");
let stop = await shop.start();
const client = openClient(undo, shop.url, 10);
const scene = { stripe, shop: client, companies: await knownCompanies(connection), seed };
const customers: CustomerOrder[] = [];

step(`${orders} orders, then the dump`);
await runCustomers(orders);
await untilQuiet();
postgres.run(findDocumentedCommand("pg_dump -Fc"), { DATABASE_URL: databaseUrl });
const inDump = customers.length;

step(`${orders} more orders; then ${unfinishedOrders} whose e-mails cannot be sent, and a refund that fails at the provider`);
await runCustomers(orders);
await untilQuiet();
smtp.controls.refuseData("451 4.3.0 Try again later");
stripe.failNext({ path: "POST /v1/refunds", kind: "503", times: 100_000 });
const delivered = customers.slice(0, inDump).find(({ way, number }) => way === "buy" && number !== null);
if (!delivered?.number) throw new Error("no order of the dump was delivered: the drill has nothing to refund");
const { number } = delivered;
await besideShop(environment, async (runtime) => {
	const order = await findOrderByReference(runtime.db, { number: number as OrderNumber });
	const refund = order && (await grantRefund(runtime, order.id));
	if (!refund?.ok) throw new Error(`order ${number} is not refunded: the drill proves nothing of refunds`);
});
delivered.way = "dashboard"; // the whole amount must be refunded once
for (let index = 0; index < unfinishedOrders; index++) customers.push(await orderAndPay(index));
await untilNone("every change is copied", `select count(*) from order_copy_requests`);
await untilNone(
	"each invoice has its PDF",
	"select count(*) from orders where paid_at is not null and not exists (select from invoices where order_id = orders.id and document_id is not null)",
);
const numbersBefore = groupNumbersByRecipient();
if (numbersBefore.size === 0) throw new Error("no customer has an invoice yet: the drill has no numbers to compare");

step("the database is killed and its data is lost");
postgres.crash();
await stop();
postgres.start();
postgres.run("dropdb shop");

step("the restore, as docs/backup.md says");
postgres.run(findDocumentedCommand("createdb -O shop shop"));
await runCommand("migrate");
const lostBefore = await reconcileLater({ ...environment, LOG_LEVEL: "silent" }, readProviderBooks(stripe));
console.log(await runCommand("orders", "recreate", "--all"));
console.log(await runCommand("orders", "reconcile"));
smtp.controls.refuseData();
stripe.clearFaults();
stop = await shop.start();
await runCustomers(3);
await untilQuiet();

step("counting");
const books = await readShopBooks(connection);
// an unpaid order has no copy: it is lost, and its e-mails do not count
const unpaid = (customer: CustomerOrder) => stripe.state.sessions.get(customer.sessionId ?? "")?.payment_status !== "paid";
const lostUnpaid = customers.filter(
	(customer) => unpaid(customer) && books.orders.every(({ customer_email }) => customer_email !== customer.email),
);
const counted = customers.filter((customer) => !lostUnpaid.includes(customer));
const received = shop.mails.filter(({ to }) => lostUnpaid.every(({ email }) => email !== to));
const faults: Record<string, string[]> = {
	...findFailures({
		customers: counted,
		shop: books,
		provider: readProviderBooks(stripe),
		mailServer: received,
		damaged: await findDamaged(environment, books.documents),
	}),
	"paid orders not served": books.orders
		.filter(({ status }) => ["paid", "processing"].includes(status))
		.map(({ order_number }) => order_number),
	"numbers with two customers": [...groupNumbersByRecipient()].filter(([, people]) => people.size > 1).map(([number]) => number),
	"numbers that changed their customer": [...numbersBefore].flatMap(([number, people]) =>
		areEqual(people, groupNumbersByRecipient().get(number)) ? [] : [number],
	),
	"numbers that customers have and the books lack": listMissingNumbers(await listNumbersInBooks()),
	"e-mails that one customer received twice": listDuplicates(
		received.map(({ to, subject, number }) => `${to}: ${subject} ${number ?? ""}`),
	),
	"differences that the nightly comparison finds": await reconcileLater(environment, readProviderBooks(stripe)),
	"customers without a proper answer": counted.flatMap(({ email, way, complaints }) =>
		complaints.map((complaint) => `${email} (${way}): ${complaint}`),
	),
};
if (lostBefore.length < orders / 2) faults["the loss was too small for a proof"] = [`${lostBefore.length} differences`];
const rows: [string, number][] = [
	["orders", customers.length],
	["orders in the dump", inDump],
	["payments and refunds that the restored database lacked", lostBefore.length],
	["unpaid orders without a copy", lostUnpaid.length],
	["invoices and credit notes", books.invoices.length],
	["e-mails that customers received", received.length],
];
console.log("\nResults");
for (const [what, count] of rows) console.log(`  ${String(count).padStart(5)}  ${what}`);
console.log("\nFailures");
for (const [what, cases] of Object.entries(faults)) {
	console.log(`  ${String(cases.length).padStart(5)}  ${what}`);
	for (const one of cases.slice(0, 20)) console.log(`         ${one}`);
}
const broken = Object.values(faults).some((cases) => cases.length > 0);
console.log(broken ? "\nSomething was lost or duplicated." : "\nNothing was lost or duplicated.");
await stop();
process.exitCode = broken ? 1 : 0;

function step(words: string): void {
	console.log(`… ${words}`);
}

async function runCustomers(count: number): Promise<void> {
	const first = customers.length;
	customers.push(...(await Promise.all(Array.from({ length: count }, (_, index) => playCustomer(scene, first + index)))));
}

/** Orders and pays, without waiting for the delivery. */
async function orderAndPay(index: number): Promise<CustomerOrder> {
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
	const nothing = { number: null, numbers: [], cancelled: null, withdrawn: false, deliveredAfter: null, failures: 0, complaints: [] };
	return { email, services: ["express"], way: "buy", waived: false, sessionId, ...nothing };
}

/** Runs a command of the shop, as `npm run` would. */
async function runCommand(...words: string[]): Promise<string> {
	// not synchronous: the fake partners run in this process
	const { stdout } = await promisify(execFile)(process.execPath, ["main.ts", ...words], { env: { ...process.env, ...environment } });
	return stdout;
}

/** Finds the command in docs/backup.md with the given beginning. */
function findDocumentedCommand(beginning: string): string {
	const document = readFileSync(new URL("../../docs/backup.md", import.meta.url), "utf8");
	const command = document.match(new RegExp(`(?:^|\`) *(${beginning}[^\`\n]*)`, "m"))?.[1];
	if (command === undefined) throw new Error(`docs/backup.md has no command that begins with « ${beginning} »`);
	return command;
}

async function untilQuiet(): Promise<void> {
	const left = await waitUntilQuiet(connection, stripe, { timeout: 400_000, sweep: false });
	if (left !== "") throw new Error(`unfinished work: ${left}`);
}

async function untilNone(condition: string, countLeft: string): Promise<void> {
	for (const began = performance.now(); ; await wait(500)) {
		const { rows } = await withClient(connection, (one) => one.query<{ count: string }>(countLeft));
		if (rows[0]?.count === "0") return;
		if (performance.now() - began > 150_000) throw new Error(`timed out before ${condition}: ${rows[0]?.count} left`);
	}
}

/** The customers who received each invoice or credit note number. */
function groupNumbersByRecipient(): Map<string, Set<string>> {
	const numbers = new Map<string, Set<string>>();
	for (const { number, to } of shop.mails) if (number !== null) numbers.set(number, (numbers.get(number) ?? new Set()).add(to));
	return numbers;
}

async function listNumbersInBooks(): Promise<Set<string>> {
	const { rows } = await withClient(connection, (one) => one.query<{ number: string }>("select number from invoices"));
	return new Set(rows.map(({ number }) => number));
}

function listMissingNumbers(known: Set<string>): string[] {
	return [...groupNumbersByRecipient().keys()].filter((number) => !known.has(number));
}

function areEqual(one: Set<string>, other: Set<string> | undefined): boolean {
	return other !== undefined && one.size === other.size && [...one].every((each) => other.has(each));
}

function listDuplicates(texts: string[]): string[] {
	return texts.filter((text, index) => texts.indexOf(text) !== index);
}
