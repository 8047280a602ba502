import type { Selectable } from "kysely";
import type { Orders } from "../../server/database/database-types.gen.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";
import type { VatNumber } from "../companies/vat-number.ts";

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
	billingSiren: Siren | null;
	billingVat: VatNumber | null;
	/** Of a letter: its recipient and address, where they are not the billed customer's. */
	deliveryName: string | null;
	deliveryComplement: string | null;
	deliveryAddress: string | null;
	deliveryPostalCode: string | null;
	deliveryCity: string | null;
	/** Of a PDF: the second address. */
	deliveryEmail: string | null;
	newsletter: boolean;
	consents: { terms: boolean; waiveWithdrawal: boolean; textVersion: string } | null;
}
