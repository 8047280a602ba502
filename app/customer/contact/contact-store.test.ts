import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/database.ts";
import {
	deleteContactsByEmail,
	deleteOldInterest,
	deleteOldMessages,
	findMessage,
	insertInterest,
	insertMessage,
	listContactsByEmail,
	updateMessage,
} from "./contact.store.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
	await database.db.deleteFrom("contact_messages").execute();
	await database.db.deleteFrom("subscription_interest").execute();
});

const morning = new Date("2026-11-21T09:00:00Z");
const later = (milliseconds: number) => new Date(morning.getTime() + milliseconds);

async function write(email: string, now = morning): Promise<string> {
	const id = randomUUID();
	const message = { name: "Ada", phone: null, subject: null, siren: null, message: `Bonjour, ${email}` };
	await database.db.transaction().execute((trx) => insertMessage(trx, { ...message, id, email, now }));
	return id;
}
const note = (email: string, now = morning) => insertInterest(database.db, { email, textVersion: "1", now });
const left = async () => [
	(await database.db.selectFrom("contact_messages").select("email").orderBy("email").execute()).map(({ email }) => email),
	(await database.db.selectFrom("subscription_interest").select("email").orderBy("email").execute()).map(({ email }) => email),
];

test("each sent e-mail of a message is recorded on that message alone", async () => {
	const [id, other] = [await write("ada@example.fr"), await write("ada@example.fr")];
	await updateMessage(database.db, id, { forwarded_at: later(1) });
	expect(await findMessage(database.db, id)).toMatchObject({ forwarded_at: later(1), acknowledged_at: null });
	await updateMessage(database.db, id, { acknowledged_at: later(2) });
	expect(await findMessage(database.db, id)).toMatchObject({ forwarded_at: later(1), acknowledged_at: later(2) });
	expect(await findMessage(database.db, other)).toMatchObject({ forwarded_at: null, acknowledged_at: null });
	expect(await findMessage(database.db, randomUUID())).toBeNull();
});

test("a person's messages and interest are listed, oldest first, and nothing of others", async () => {
	const second = await write("Ada@example.fr", later(2));
	const first = await write("ada@EXAMPLE.fr", later(1));
	await write("grace@example.fr");
	await note("ada@example.fr");
	await note("grace@example.fr");
	const { messages, interest } = await listContactsByEmail(database.db, " ADA@example.fr");
	expect(messages.map(({ id }) => id)).toEqual([first, second]);
	expect(interest.map(({ email }) => email)).toEqual(["ada@example.fr"]);
	expect(await listContactsByEmail(database.db, "nobody@example.fr")).toEqual({ messages: [], interest: [] });
});

test("a person's messages and interest are deleted and counted, and nothing of others", async () => {
	for (const email of ["Ada@example.fr", "ada@example.fr", "grace@example.fr"]) await write(email);
	await note("ada@example.fr");
	await note("grace@example.fr");
	expect(await deleteContactsByEmail(database.db, "ada@example.fr ")).toEqual({ messages: 2, interest: 1 });
	expect(await left()).toEqual([["grace@example.fr"], ["grace@example.fr"]]);
	expect(await deleteContactsByEmail(database.db, "ada@example.fr")).toEqual({ messages: 0, interest: 0 });
});

test("messages and interest are deleted after their retention period, to the instant", async () => {
	for (const put of [write, note]) {
		await put("older@example.fr", later(-1));
		await put("kept@example.fr", morning);
	}
	expect([await deleteOldMessages(database.db, morning), await deleteOldInterest(database.db, morning)]).toEqual([1, 1]);
	expect(await left()).toEqual([["kept@example.fr"], ["kept@example.fr"]]);
});
