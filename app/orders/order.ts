import type { Selectable } from "kysely";
import type { Orders } from "../../server/database/database-types.gen.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";

/** A row of `orders`. */
export type Order = Selectable<Orders>;

/** The validated input of a new order. Null where a field was left empty. */
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
