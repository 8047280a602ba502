import { createHmac } from "node:crypto";
import type { Database } from "../../server/database.ts";
import type { Signer } from "../../server/signing.ts";
import type { PaymentProvider, PaymentSession } from "./provider.ts";
import { findSandboxSession, insertSandboxSession, type SandboxSession } from "./sandbox.store.server.ts";
import { readSignedEvent } from "./signed-event.server.ts";

/** The secret with which the sandbox signs its events, as a provider's webhook secret would be. */
export const sandboxEventSecret = (signer: Signer) => `whsec_${signer.derive("sandbox events")}`;

/** Stands in for the payment provider where no key is set: its own books, its own page, the same signed events. */
export function sandboxProvider({
	db,
	signer,
	baseUrl,
	now,
}: {
	db: Database;
	signer: Signer;
	baseUrl: string;
	now: () => Date;
}): PaymentProvider {
	const url = (id: string) => `${baseUrl}/bac-a-sable/${id}`;
	const known = (row: SandboxSession): PaymentSession => ({
		id: row.id,
		url: url(row.id),
		status: row.status === "open" && row.expires_at <= now() ? "expired" : row.status,
		paymentStatus: row.payment_status,
		amount: row.amount_total,
		currency: row.currency,
		orderId: row.client_reference_id,
		live: false,
		expiresAt: row.expires_at,
	});
	return {
		name: "sandbox",
		live: false,
		async createSession(request) {
			// made from the key, so that the same key gives the same session, and nobody can guess it
			const id = `cs_test_${createHmac("sha256", signer.derive("sandbox sessions")).update(request.key).digest("hex").slice(0, 48)}`;
			return { ok: true, session: known(await insertSandboxSession(db, id, request, now())) };
		},
		async findSession(id) {
			const row = await findSandboxSession(db, id);
			return { ok: true, session: row && known(row) };
		},
		readEvent: (rawBody, signature) => readSignedEvent(rawBody, signature, sandboxEventSecret(signer), now()),
		ready: async () => true,
	};
}
