import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSigner } from "../../../server/signing.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { waitForLock } from "../../../test/orders.ts";
import { insertDeliveries, insertIssue } from "./issues.store.server.ts";
import { confirmationUrl, parseConfirmationToken, parseUnsubscribeToken, unsubscribeUrl } from "./links.server.ts";
import {
	deleteOldProofs,
	deleteOldRequests,
	deleteSubscriptionsByEmail,
	endOldSubscriptions,
	findSubscription,
	isSubscribed,
	listSubscriptionsByEmail,
	markConfirmationSent,
	markConfirmed,
	markEnded,
	recordSubscription,
} from "./subscriptions.store.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
	await database.db.deleteFrom("newsletter_subscriptions").execute();
	await database.db.deleteFrom("newsletter_letters").execute();
});

const day = 86_400_000;
const monday = new Date("2026-11-23T09:00:00Z");
const later = (milliseconds: number) => new Date(monday.getTime() + milliseconds);

const ask = (email: string, now: Date, { source = "form", textVersion = "1" }: { source?: "order" | "form"; textVersion?: string } = {}) =>
	database.db.transaction().execute((trx) => recordSubscription(trx, { email, source, textVersion, now }));
async function asked(email: string, now = monday): Promise<string> {
	return (await ask(email, now)) ?? expect.fail("it is no new request");
}
async function confirmed(email: string, now = monday): Promise<string> {
	const id = await asked(email, now);
	await markConfirmed(database.db, id, now);
	return id;
}
const emails = async () =>
	(await database.db.selectFrom("newsletter_subscriptions").select("email").orderBy("email").execute()).map(({ email }) => email);

describe("a request", () => {
	test("counts again a day after the last one, to the instant, with the current text version", async () => {
		const id = await asked("ada@example.fr");
		expect(await ask("Ada@example.fr", later(day - 1), { source: "order", textVersion: "2" })).toBeNull();
		expect(await findSubscription(database.db, id)).toMatchObject({ requested_at: monday, source: "form", text_version: "1" });
		expect(await ask("Ada@example.fr", later(day), { source: "order", textVersion: "2" })).toBe(id);
		expect(await findSubscription(database.db, id)).toMatchObject({ requested_at: later(day), source: "order", text_version: "2" });
		expect(await emails()).toEqual(["ada@example.fr"]);
	});

	test("counts again a day after its e-mail, when that was sent late", async () => {
		const id = await asked("ada@example.fr");
		await markConfirmationSent(database.db, id, monday, later(day / 2));
		expect(await ask("ada@example.fr", later(day))).toBeNull();
		expect(await ask("ada@example.fr", later(1.5 * day))).toBe(id);
	});

	test("has its own e-mail, not that of an earlier request or of another address", async () => {
		const [id, other] = [await asked("ada@example.fr"), await asked("grace@example.fr")];
		await markConfirmationSent(database.db, id, monday, later(1));
		expect(await findSubscription(database.db, other)).toMatchObject({ confirmation_sent_at: null });
		await ask("ada@example.fr", later(2 * day));
		// the first mail was handed over late, and is noted now
		await markConfirmationSent(database.db, id, monday, later(3 * day));
		expect(await findSubscription(database.db, id)).toMatchObject({ confirmation_sent_at: later(1), requested_at: later(2 * day) });
	});

	test("of a confirmed address has no effect; after the end it is a new request", async () => {
		const id = await confirmed("ada@example.fr");
		expect(await ask("ada@example.fr", later(9 * day))).toBeNull();
		await markEnded(database.db, id, later(9 * day));
		expect(await asked("ada@example.fr", later(9 * day))).not.toBe(id);
	});
});

describe("a consent", () => {
	test("belongs to one subscription, keeps its first time, and does not revive an ended one", async () => {
		const [id, other] = [await asked("ada@example.fr"), await asked("grace@example.fr")];
		await markConfirmed(database.db, id, later(1));
		await markConfirmed(database.db, id, later(2));
		expect(await findSubscription(database.db, id)).toMatchObject({ confirmed_at: later(1) });
		expect(await findSubscription(database.db, other)).toMatchObject({ confirmed_at: null });
		await markEnded(database.db, id, later(3));
		await markConfirmed(database.db, id, later(4));
		expect(await findSubscription(database.db, id)).toMatchObject({ confirmed_at: later(1), unsubscribed_at: later(3) });
		expect(await isSubscribed(database.db, id)).toBe(false);
		// that nothing ends unconfirmed is the table's own rule
		const ended = database.db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: later(4) });
		await expect(ended.where("id", "=", other).execute()).rejects.toThrow("check constraint");
	});

	test("ends for its address in any case of letters, with its first time, and for no other", async () => {
		const [id, other] = [await confirmed("Ada@example.fr"), await confirmed("grace@example.fr")];
		await markEnded(database.db, id, later(1));
		await markEnded(database.db, id, later(2));
		expect(await findSubscription(database.db, id)).toMatchObject({ unsubscribed_at: later(1) });
		expect(await isSubscribed(database.db, other)).toBe(true);
		await confirmed("ada@example.fr", later(3));
		expect(await isSubscribed(database.db, id)).toBe(true);
	});
});

test("an issue queued twice in parallel has one delivery per subscriber", async () => {
	const readers = [await confirmed("ada@example.fr"), await confirmed("grace@example.fr")];
	const kept = await insertIssue(database.db, { subject: "Novembre", content: "# Novembre", now: monday });
	const letterId = kept.ok ? kept.letterId : expect.fail("the month has its letter");
	const insert = () => database.db.transaction().execute((trx) => insertDeliveries(trx, letterId, 100));
	let second: Promise<string[]> | undefined;
	await database.db.transaction().execute(async (trx) => {
		expect((await insertDeliveries(trx, letterId, 100)).sort()).toEqual(readers.sort());
		second = insert();
		await waitForLock(database.db, second);
	});
	expect(await second).toEqual([]);
});

describe("stored subscriptions", () => {
	test("are listed for one person, oldest first, each with its issues", async () => {
		const first = await confirmed("Ada@example.fr");
		await markEnded(database.db, first, later(1));
		const second = await confirmed("ada@example.fr", later(2));
		await markConfirmationSent(database.db, first, monday, later(3)); // which puts its row behind the other
		const other = await confirmed("grace@example.fr");
		const letters = ["Octobre", "Novembre"].map((subject, i) => ({
			...{ id: randomUUID(), subject, content: subject, created_at: new Date(Date.UTC(2026, 9 + i, 5)) },
		}));
		await database.db.insertInto("newsletter_letters").values(letters.toReversed()).execute();
		const [october, november] = letters.map(({ id }) => id) as [string, string];
		await database.db
			.insertInto("newsletter_deliveries")
			.values([
				{ letter_id: november, subscription_id: second, sent_at: later(5) },
				{ letter_id: october, subscription_id: second, refused_reason: "550 5.7.1 no" },
				{ letter_id: november, subscription_id: other, sent_at: later(5) },
			])
			.execute();
		expect(await listSubscriptionsByEmail(database.db, " ADA@example.fr")).toMatchObject([
			{ email: "Ada@example.fr", requested_at: monday, unsubscribed_at: later(1), letters: [] },
			{
				email: "ada@example.fr",
				letters: [
					{ subject: "Octobre", sent_at: null, refused_reason: "550 5.7.1 no" },
					{ subject: "Novembre", sent_at: later(5), refused_reason: null },
				],
			},
		]);
		expect(await deleteSubscriptionsByEmail(database.db, "ADA@example.fr ")).toBe(2);
		expect(await emails()).toEqual(["grace@example.fr"]);
		expect(await database.db.selectFrom("newsletter_deliveries").select("subscription_id").execute()).toEqual([{ subscription_id: other }]);
	});

	test("are deleted or ended after their period, to the instant: a request, a consent, then its proof", async () => {
		for (const [who, now] of [
			["older", later(-1)],
			["kept", monday],
		] as const) {
			await asked(`${who}-request@example.fr`, now);
			await confirmed(`${who}-reader@example.fr`, now);
		}
		expect(await deleteOldRequests(database.db, monday)).toBe(1);
		expect(await emails()).toEqual(["kept-reader@example.fr", "kept-request@example.fr", "older-reader@example.fr"]);
		expect(await endOldSubscriptions(database.db, monday, later(5))).toBe(1);
		expect(await endOldSubscriptions(database.db, monday, later(6))).toBe(0);
		const [ended] = await listSubscriptionsByEmail(database.db, "older-reader@example.fr");
		expect(ended).toMatchObject({ unsubscribed_at: later(5) });
		expect(await deleteOldProofs(database.db, later(5))).toBe(0);
		expect(await deleteOldProofs(database.db, later(6))).toBe(1);
		expect(await emails()).toEqual(["kept-reader@example.fr", "kept-request@example.fr"]);
	});
});

describe("a link", () => {
	const signer = createSigner(["a secret of the tests that is long enough to sign"]);
	const environment = { baseUrl: "https://shop.example" } as Parameters<typeof unsubscribeUrl>[0]["environment"];
	const id = "5f0c5c54-6c1c-4b0e-8d1c-3f3a52a3c9b1";
	const extractToken = (url: string) => url.split("/").at(-1) ?? "";

	test("to confirm expires after thirty days, to the instant", () => {
		const token = extractToken(confirmationUrl({ environment, signer }, id, monday));
		const readAt = (now: Date) => parseConfirmationToken({ signer, now: () => now }, token);
		expect(readAt(later(30 * day))).toEqual({ subscriptionId: id, expired: false });
		expect(readAt(later(30 * day + 1))).toEqual({ subscriptionId: id, expired: true });
	});

	test("to unsubscribe never expires", () => {
		const end = extractToken(unsubscribeUrl({ environment, signer }, id));
		expect(end).toBe(signer.sign("newsletter-end", id));
		expect(parseUnsubscribeToken({ signer }, end)).toBe(id);
	});

	test("is valid for one purpose only", () => {
		for (const purpose of ["newsletter-confirm", "document", "resume", "track", ""])
			expect(parseUnsubscribeToken({ signer }, signer.sign(purpose, id)), purpose).toBeNull();
		for (const purpose of ["newsletter-end", "document", "resume", "track", ""])
			expect(parseConfirmationToken({ signer, now: () => monday }, signer.sign(purpose, `${id}.${monday.getTime()}`)), purpose).toBeNull();
	});
});
