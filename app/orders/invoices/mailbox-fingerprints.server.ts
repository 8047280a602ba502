import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Database, Trx } from "../../../server/database/database.ts";
import { createEncryption, getKeyId } from "../../../server/environment/encryption.ts";
import type { Context } from "../../../server/runtime.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import type { IssuedInvoice } from "./invoices.store.server.ts";
import {
	clearFingerprints,
	insertMailboxKey,
	listInvoicesByFingerprint,
	listMailboxKeys,
	type StoredMailboxKey,
	setFingerprints,
	updateMailboxKey,
} from "./mailbox-fingerprints.store.server.ts";

/**
 * Invoices whose customer is erased are found by a keyed fingerprint of the mailbox (docs/decisions/0042). The key is random and stored
 * encrypted, so that fingerprints of ten years outlive the secrets of the shop, and a copy of the database alone tests no address.
 */

const { encrypt, decrypt, getCurrentKeyId } = createEncryption("mailboxes of invoices");

type Keys = Pick<Context, "db" | "environment">;
type KeysIn = Pick<Context, "environment"> & { db: Database | Trx };

/** The keys that the secrets of the shop decrypt, the newest first. */
const listKeys = async ({ db, environment }: KeysIn) =>
	(await listMailboxKeys(db)).flatMap((stored) => decryptKey(environment, stored) ?? []);

const decryptKey = (environment: Context["environment"], { id, encrypted }: StoredMailboxKey) => {
	const secret = decrypt(environment, id, encrypted);
	return secret === null ? null : { id, encrypted, secret: Buffer.from(secret, "hex") };
};

/** The first key, made when it is needed. Another one replaces keys that cannot be decrypted, which stay in case their secret comes back. */
async function getKey(context: KeysIn, now: Date): Promise<Buffer> {
	const [known] = await listKeys(context);
	if (known) return known.secret;
	const [id, secret] = [randomUUID(), randomBytes(32)];
	await insertMailboxKey(context.db, { id, encrypted: encrypt(context.environment, id, secret.toString("hex")) }, now);
	return secret;
}

const fingerprint = (key: Buffer, email: string): Buffer => createHmac("sha256", key).update(normalizeEmail(email)).digest();

/** Encrypts the keys with the present secret, so that a former one can be removed. */
export async function renewMailboxKeys({ db, environment }: Keys): Promise<void> {
	for (const { id, encrypted, secret } of await listKeys({ db, environment })) {
		if (getKeyId(encrypted) === getCurrentKeyId(environment)) continue;
		await updateMailboxKey(db, { id, encrypted: encrypt(environment, id, secret.toString("hex")) });
	}
}

/** Counts the keys, and those that no secret of the shop decrypts. */
export async function countMailboxKeys({ db, environment }: Keys): Promise<{ all: number; lost: number }> {
	const keys = await listMailboxKeys(db);
	return { all: keys.length, lost: keys.filter((key) => decryptKey(environment, key) === null).length };
}

/** Leaves the fingerprint of the customer's mailbox on the invoices and credit notes of orders, before their addresses are erased. */
export async function recordMailboxes(
	{ environment, now }: Pick<Context, "environment" | "now">,
	trx: Trx,
	orders: readonly { id: string; customer_email: string }[],
): Promise<void> {
	if (orders.length === 0) return;
	const key = await getKey({ db: trx, environment }, now());
	await setFingerprints(
		trx,
		orders.map(({ id, customer_email }) => ({ id, fingerprint: fingerprint(key, customer_email) })),
	);
}

/** The fingerprints of a mailbox, one for each key. */
export const listFingerprints = async (context: Keys, mailbox: string): Promise<Buffer[]> =>
	(await listKeys(context)).map(({ secret }) => fingerprint(secret, mailbox));

/** Lists the invoices and credit notes of a mailbox whose orders are erased. */
export const listInvoicesOfMailbox = async (context: Keys, mailbox: string): Promise<IssuedInvoice[]> =>
	listInvoicesByFingerprint(context.db, await listFingerprints(context, mailbox));

/** Makes the invoices of a mailbox untraceable, because its owner asked for the erasure. @returns how many. */
export const clearMailbox = async (context: Keys, mailbox: string): Promise<number> =>
	clearFingerprints(context.db, await listFingerprints(context, mailbox));
