import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { SandboxEvents, SandboxSessions } from "../../server/database-types.gen.ts";
import type { SessionRequest } from "./provider.ts";

/** All SQL on the schema `sandbox`: the books that a provider would keep on its side. */

export type SandboxSession = Omit<Selectable<SandboxSessions>, "status" | "payment_status"> & {
	status: "open" | "complete" | "expired";
	payment_status: "paid" | "unpaid";
};

/** Inserts the session, or gives the one that this id already names. */
export async function insertSandboxSession(db: Database, id: string, request: SessionRequest, now: Date): Promise<SandboxSession> {
	await db
		.insertInto("sandbox.sessions")
		.values({
			id,
			client_reference_id: request.orderId,
			amount_total: request.amount,
			currency: "eur",
			product_name: request.productName,
			customer_email: request.customerEmail,
			success_url: request.successUrl,
			cancel_url: request.cancelUrl,
			status: "open",
			payment_status: "unpaid",
			created_at: now,
			expires_at: request.expiresAt,
		})
		.onConflict((conflict) => conflict.column("id").doNothing())
		.execute();
	return (await db.selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow()) as SandboxSession;
}

export async function findSandboxSession(db: Database, id: string): Promise<SandboxSession | null> {
	return (
		((await db.selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirst()) as SandboxSession | undefined) ?? null
	);
}

/** Takes the payment of an open session; null when it is no longer open. */
export async function paySandboxSession(trx: Trx, id: string, now: Date): Promise<SandboxSession | null> {
	const row = await trx
		.updateTable("sandbox.sessions")
		.set({ status: "complete", payment_status: "paid", payment_intent: `pi_test_${randomBytes(12).toString("hex")}` })
		.where("id", "=", id)
		.where("status", "=", "open")
		.where("expires_at", ">", now)
		.returningAll()
		.executeTakeFirst();
	return (row as SandboxSession | undefined) ?? null;
}

/** @returns the event's id. */
export async function insertSandboxEvent(trx: Trx, type: string, sessionId: string, now: Date): Promise<string> {
	const id = `evt_test_${randomBytes(12).toString("hex")}`;
	await trx.insertInto("sandbox.events").values({ id, type, session_id: sessionId, created_at: now }).execute();
	return id;
}

export async function findSandboxEvent(db: Database, id: string): Promise<Selectable<SandboxEvents> | null> {
	return (await db.selectFrom("sandbox.events").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}
