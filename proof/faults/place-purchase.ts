import { checkOutDrafts } from "../../app/checkout/payment/start-checkout.server.ts";
import { createShop } from "../../app/create-shop.server.ts";
import { jobKinds } from "../../app/job-kinds.ts";
import type { OrderDraft } from "../../app/orders/order.ts";
import { listOrdersOfPurchase } from "../../app/orders/orders.store.server.ts";
import { createRuntime } from "../../server/create-runtime.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { withoutLimits } from "../../test/shop-process.ts";

export type PlacePurchase = (drafts: readonly OrderDraft[], key: string) => Promise<{ url: string; numbers: string[] }>;

/**
 * Places purchases of several orders in this process, on the database whose connections and server break; nobody kills this process.
 * A call may be repeated with its key. @throws when no payment page was opened.
 * @param variables the environment of the shop's processes.
 */
export async function createPurchasePlacer(undo: AsyncDisposableStack, variables: Record<string, string>): Promise<PlacePurchase> {
	const parsed = parseEnvironment({ ...withoutLimits, ...variables });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const { environment } = parsed;
	const { runtime, close } = await createRuntime(environment, { connectionString: environment.databaseUrl }, jobKinds, {
		supervise: false,
	});
	undo.defer(() => close(1000));
	// this process runs without the build, which has the texts
	const shop = { ...createShop(runtime), recordTerms: async () => "0".repeat(64) };
	return async (drafts, key) => {
		const started = await checkOutDrafts(shop, drafts, { idempotencyKey: key, client: key });
		if (!started.ok) throw new Error(`no payment page was opened: ${started.code}`);
		const orders = await listOrdersOfPurchase(runtime.db, started.orderId);
		return { url: started.url, numbers: orders.map(({ order_number }) => order_number) };
	};
}
