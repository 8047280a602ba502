import type { Environment } from "../../../server/environment/environment.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import type { Order } from "../../orders/order.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { ReplyValues } from "./fill-reply.ts";

/** Whether an address is the customer's: only then may a reply say something of the order. */
export const isAddressOfCustomer = (order: Order, email: string): boolean =>
	order.erased_at === null && normalizeEmail(order.customer_email) === normalizeEmail(email);

/**
 * The values of the fields of a reply to an address. An order of somebody else, and one that is not paid, gives none.
 * @param isNamed false: the order is a guess, and says only who has the address.
 */
export function getReplyValues(
	{ baseUrl }: Environment,
	order: Order | null,
	email: string,
	{ isNamed }: { isNamed: boolean },
): ReplyValues {
	const customer = order !== null && order.paid_at !== null && isAddressOfCustomer(order, email) ? order : null;
	const own = isNamed ? customer : null;
	return {
		prenom: customer?.first_name ?? "",
		nom: customer?.last_name ?? "",
		numero: own?.order_number ?? "",
		societe: own?.company_name ?? "",
		siren: own?.siren ?? "",
		service: own ? services[own.product_code].name : "",
		echeance: own?.promised_at ? formatInstant(own.promised_at) : "",
		montant: own ? formatEuros(own.price_cents) : "",
		suivi: own ? absoluteUrl(baseUrl, "/suivi/:number", { number: own.order_number }) : "",
	};
}
