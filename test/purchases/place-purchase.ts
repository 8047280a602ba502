import type { ServiceCode } from "../../app/catalogue/services.ts";
import { checkOutDrafts } from "../../app/checkout/payment/start-checkout.server.ts";
import { parseSiren, type Siren } from "../../app/companies/siren.ts";
import { createConfirmationCookies } from "../../app/customer/tracking/confirmation/confirmation-access.server.ts";
import { createVisit } from "../../app/customer/tracking/visits/visits.server.ts";
import type { Order, OrderDraft } from "../../app/orders/order.ts";
import { listOrdersOfPurchase } from "../../app/orders/orders.store.server.ts";
import type { TestShop } from "../shop.ts";

interface Line {
	service?: ServiceCode;
	siren?: string;
	companyName?: string;
	reference?: string;
}

export interface PlacedPurchase {
	orders: [Order, ...Order[]];
	sessionId: string;
	payUrl: string;
	/** The cookie of the browser that ordered, for its confirmation. */
	cookie: string;
}

/** Places a purchase of several orders, up to its payment page. @param customer overrides the default data. */
export async function placePurchase(
	{ shop }: Pick<TestShop, "shop">,
	lines: readonly Line[],
	customer: Partial<OrderDraft> = {},
): Promise<PlacedPurchase> {
	const drafts = lines.map(({ service = "standard", siren = "552032534", companyName = "DANONE", reference = null as string | null }) => ({
		...{ service, siren: parseSiren(siren) as Siren, companyName, reference: reference ?? null },
		...{ email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", phone: null },
		...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris", billingCompany: null, billingSiren: null, billingVat: null },
		...{ deliveryName: null, deliveryComplement: null, deliveryAddress: null, deliveryPostalCode: null, deliveryCity: null },
		...{ deliveryEmail: null, newsletter: false, consents: null },
		...customer,
	}));
	const placed = await checkOutDrafts(shop, drafts, { idempotencyKey: null, client: "test" });
	if (!placed.ok) throw new Error(`no purchase was placed: ${placed.code}`);
	const [first, ...others] = await listOrdersOfPurchase(shop.db, placed.orderId);
	if (first === undefined) throw new Error("the purchase has no order");
	const cookies = (await createConfirmationCookies(shop, first.id, createVisit())).getSetCookie();
	return {
		orders: [first, ...others],
		sessionId: placed.url.split("/").at(-1) ?? "",
		payUrl: placed.url,
		cookie: cookies[0]?.split(";")[0] ?? "",
	};
}
