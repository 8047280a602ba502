import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDesk, type Placed, type TestDesk } from "../../test/terminal.ts";
import { insertMessage } from "../customer/contact/contact.store.server.ts";
import { purge } from "../desk/retention/purge.server.ts";
import { runNewsletterCommand } from "./newsletter-commands.server.ts";
import { toPrintable } from "./printable-text.ts";
import { runCommand } from "./run-command.server.ts";
import { runRecordedCommand } from "./run-recorded-command.server.ts";

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("manual");
});
afterAll(() => desk?.close());

/** Title, screen, clipboard (OSC 52), link (OSC 8), 8-bit CSI, backspace, return and turned direction. */
const evil =
	"x\u001b]0;pwned\u0007\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u001b]8;;https://evil.example\u001b\\y\u009b31m\b\b\r\u202egro.live\u2066z\u007f";
const obeyed = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test("only the characters that a terminal interprets are removed from a text", () => {
	expect(toPrintable("Zoë « Kbis »\u00a0: 12\u202f€ 👩‍💻\nÉté")).toBe("Zoë « Kbis »\u00a0: 12\u202f€ 👩‍💻\nÉté");
	expect(toPrintable("a\tb\u2028c\u2029d")).toBe("a b c d");
	expect(toPrintable(evil)).toBe("x]0;pwned[2J]52;c;ZXZpbA==]8;;https://evil.example\\y31mgro.livez");
});

describe("a customer's text reaches the operator's terminal without control characters", () => {
	let placed: Placed;
	beforeAll(async () => {
		const { db } = desk.shop;
		placed = await desk.paidOrder();
		const person = { first_name: evil, last_name: evil, phone: evil, address: evil, city: evil, billing_company: evil, company_name: evil };
		await db
			.updateTable("orders")
			.set({ ...person, delivery_email: `${evil}@b.fr`, tracking_number: evil })
			.where("id", "=", placed.id)
			.execute();
		await db.updateTable("mails").set({ bounced_at: desk.now(), bounce_reason: evil }).where("order_id", "=", placed.id).execute();
		await db.transaction().execute((trx) =>
			insertMessage(trx, {
				...{ id: crypto.randomUUID(), name: evil, email: "ada@example.fr", phone: null, subject: null, siren: null, message: evil },
				now: desk.now(),
			}),
		);
		await db
			.insertInto("newsletter_letters")
			.values({ id: crypto.randomUUID(), subject: evil, content: "# Novembre", created_at: desk.now() })
			.execute();
	});

	test.each<[string, (number: string) => string[]]>([
		["list", () => ["list"]],
		["export", () => ["export", "ada@example.fr"]],
		["erase", () => ["erase", "ada@example.fr"]],
		["reconcile", () => ["reconcile"]],
		["recreate what there is not", () => ["recreate", evil]],
		["upload", (number) => ["upload", number, evil]],
		["post", (number) => ["post", number, evil]],
		["who", (number) => ["post", number, "1A23456789012", "--as", evil]],
	])("%s", async (_, args) => {
		const { text } = await runCommand({ shop: desk.shop, readInput: async () => null }, args(placed.number));
		expect(text).not.toBe("");
		expect(obeyed.exec(text)?.[0]).toBeUndefined();
	});

	test("newsletter list", async () => {
		const { text } = await runNewsletterCommand({ ...desk.shop, readInput: async () => null }, ["list"]);
		expect(text).toContain("pwned");
		expect(obeyed.exec(text)?.[0]).toBeUndefined();
	});

	test("an export keeps the exact text", async () => {
		const { text } = await runCommand({ shop: desk.shop, readInput: async () => null }, ["export", "ada@example.fr"]);
		expect(JSON.parse(text)).toMatchObject({ orders: [{ last_name: evil }], messages: [{ message: evil }] });
	});
});

describe("each command is recorded", () => {
	const trail = async (verb: string) =>
		(await desk.shop.db.selectFrom("desk_log").selectAll().where("verb", "=", verb).orderBy("id").execute()).map(
			({ id, run, at, ...entry }) => entry,
		);

	test("with operator, command, order and outcome, before and after", async () => {
		const placed = await desk.paidOrder("postal");
		expect(await desk.orders("upload", placed.number, desk.extractFile(), "--as", "Camille")).toMatchObject({ ok: true });
		expect(await desk.orders("post", placed.number, "6A123", "--as=Camille")).toMatchObject({ ok: false });
		const camille = { subject: placed.number, who: "Camille", operator_id: null, origin: "terminal", change: null };
		expect((await trail("orders upload")).slice(-2)).toEqual(
			["begun", "done"].map((outcome) => ({ verb: "orders upload", ...camille, outcome })),
		);
		expect((await trail("orders post")).slice(-2)).toEqual(
			["begun", "refused"].map((outcome) => ({ verb: "orders post", ...camille, outcome })),
		);
	});

	test("without personal data, although commands receive e-mail addresses", async () => {
		await desk.paidOrder("express", { email: "trace@example.fr" });
		for (const args of [
			["export", "trace@example.fr"],
			["erase", "trace@example.fr"],
			["erase", "trace@example.fr", "--yes"],
		])
			await desk.orders(...args);
		const rows = JSON.stringify(await desk.shop.db.selectFrom("desk_log").selectAll().execute());
		expect(rows).toContain("orders erase");
		expect(rows).not.toMatch(/trace@|ada@|lovelace/i);
	});

	test("also when it fails; a command that cannot be recorded does not run", async () => {
		const failing = runRecordedCommand(desk.shop, { verb: "test", subject: null, who: "x" }, () => Promise.reject(new Error("broken")));
		await expect(failing).rejects.toThrow("broken");
		expect((await trail("test")).map(({ outcome }) => outcome)).toEqual(["begun", "failed"]);
		let acted = false;
		const act = async () => {
			acted = true;
			return { ok: true, text: "" };
		};
		await expect(runRecordedCommand(desk.shop, { verb: null as unknown as string, subject: null, who: "x" }, act)).rejects.toThrow(
			"null value",
		);
		expect(acted).toBe(false);
	});

	test("in rows that only the purge deletes, after a year by the database's clock", async () => {
		const { db } = desk.shop;
		const before = await db.selectFrom("desk_log").selectAll().orderBy("id").execute();
		const refused = "neither changed nor deleted";
		await expect(db.updateTable("desk_log").set({ who: "nobody" }).execute()).rejects.toThrow(refused);
		await expect(db.deleteFrom("desk_log").execute()).rejects.toThrow(refused);
		await expect(sql`truncate desk_log`.execute(db)).rejects.toThrow(refused);
		expect(await db.selectFrom("desk_log").selectAll().orderBy("id").execute()).toEqual(before);
		expect(before.length).toBeGreaterThan(0);

		// also who says that it is the purge cannot delete a younger row, and the shop's clock does not count
		const deleteAsPurge = (days: number) =>
			db.transaction().execute(async (trx) => {
				await sql`set local shop.purging_desk_log = 'on'`.execute(trx);
				await sql`delete from desk_log where at > now() - make_interval(days => ${days}::int)`.execute(trx);
			});
		await expect(deleteAsPurge(400)).rejects.toThrow(refused);
		const insertAged = (days: number) =>
			sql`insert into desk_log (run, at, verb, who, outcome)
				values (gen_random_uuid(), now() - make_interval(days => ${days}::int), 'aged', 'x', 'done')`.execute(db);
		await insertAged(364);
		await insertAged(367);
		const { now } = desk;
		const at = now();
		desk.moveTo(new Date(Date.now() + 2 * 366 * 86_400_000));
		expect((await purge(desk.shop)).deskLog).toBe(1);
		desk.moveTo(at);
		expect(await db.selectFrom("desk_log").select("id").execute()).toHaveLength(before.length + 1);
	});
});
