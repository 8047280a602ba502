import type { PaymentShop } from "../payments/payment-shop.ts";
import type { Outage } from "../payments/provider.ts";
import { type BalanceReading, readBalance } from "../payments/read-balance.server.ts";
import { postEntries } from "./post-entries.server.ts";

/**
 * Reads the provider's balance and posts the entries of new facts; at night and on demand. While the provider is unavailable, the facts
 * that the shop knows are posted all the same.
 */
export async function updateAccounts(shop: PaymentShop): Promise<({ ok: true; posted: number } & BalanceReading) | Outage> {
	const read = await readBalance(shop);
	const posted = await postEntries(shop);
	return read.ok ? { ...read, posted } : read;
}

/** The nightly job. @throws when the provider is unavailable: the job is tried again. */
export async function updateAccountsNightly(shop: PaymentShop): Promise<void> {
	if (!(await updateAccounts(shop)).ok) throw new Error("the payment provider cannot be reached");
}
