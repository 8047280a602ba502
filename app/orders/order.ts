import type { Selectable } from "kysely";
import type { Orders } from "../../server/database/database-types.gen.ts";
import { type Cents, cents } from "../catalogue/money.ts";
import { isPosted, type ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";
import type { VatNumber } from "../companies/vat-number.ts";

/** A row of `orders`. */
export type Order = Selectable<Orders>;

/** What a purchase costs, in cents. */
export const sumPrices = (orders: readonly Pick<Order, "price_cents">[]): Cents =>
	cents(orders.reduce((sum, { price_cents }) => sum + price_cents, 0));

/**
 * Whether pages link to a document of an order: not to a deleted one, nor to one of a disputed order, nor to the extract of a letter, which is
 * posted. The rule for a link that somebody has is findReadableDocument's.
 */
export const isDownloadable = (
	{ disputed_at, product_code }: Pick<Order, "disputed_at" | "product_code">,
	{ doc_type, purged_at }: { doc_type: string; purged_at: Date | null },
): boolean => disputed_at === null && purged_at === null && !(doc_type === "kbis" && isPosted(product_code));

/** Whether two orders of a purchase have one deadline. */
export const hasSamePromise = (a: Pick<Order, "promised_at">, b: Pick<Order, "promised_at">): boolean =>
	a.promised_at?.getTime() === b.promised_at?.getTime();

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
