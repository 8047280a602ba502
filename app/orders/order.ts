import type { Selectable } from "kysely";
import type { Orders } from "../../server/database/database-types.gen.ts";
import type { Cents } from "../catalogue/money.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";
import type { FailureReason, OrderStatus } from "./lifecycle.ts";
import type { OrderNumber } from "./order-number.server.ts";

/** A row of `orders`, with the types that the store vouches for. */
export type Order = Omit<
	Selectable<Orders>,
	"status" | "product_code" | "price_cents" | "siren" | "order_number" | "failure_reason" | "dispute_status"
> & {
	status: OrderStatus;
	failure_reason: FailureReason | null;
	dispute_status: "open" | "won" | "lost" | null;
	product_code: ServiceCode;
	price_cents: Cents;
	siren: Siren;
	order_number: OrderNumber;
};

/** What an order is made from, already checked. Null where nothing was given. */
export interface OrderDraft {
	service: ServiceCode;
	siren: Siren;
	companyName: string;
	email: string;
	firstName: string;
	lastName: string;
	phone: string | null;
	address: string | null;
	postalCode: string | null;
	city: string | null;
	billingCompany: string | null;
	deliveryEmail: string | null;
	newsletter: boolean;
	consents: { terms: boolean; waiveWithdrawal: boolean; textVersion: string } | null;
}
