import type { Selectable } from "kysely";
import type { Orders } from "../../server/database/database-types.gen.ts";
import { type Cents, cents } from "../catalogue/money.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";
import type { VatNumber } from "../companies/vat-number.ts";

/** A row of `orders`. */
export type Order = Selectable<Orders>;

/** What a purchase costs, in cents. */
export const sumPrices = (orders: readonly Pick<Order, "price_cents">[]): Cents =>
	cents(orders.reduce((sum, { price_cents }) => sum + price_cents, 0));

/** « 1 extrait », « 40 extraits »: of the orders of a purchase. */
export const formatExtractCount = (count: number): string => (count === 1 ? "1 extrait" : `${count} extraits`);

/** The validated input of a new order. Null where a field was left empty. */
export interface OrderDraft {
	service: ServiceCode;
	siren: Siren;
	companyName: string;
	/** The customer's own, such as « dossier 2026-114 »; null for an order of the form of one company, which does not ask for it. */
	reference: string | null;
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
