import { isPosted, paperNotice, type ServiceCode } from "../../catalogue/services.ts";
import { announceArrival } from "../../catalogue/transit.ts";
import { formatAddress, formatAddressLines } from "../../companies/addresses/address-lines.ts";
import { isNameOfCustomer } from "../../orders/letter-address.ts";
import { billingAddress, deliveryAddress, type OrderValues } from "../form/order-form.ts";

/** Who receives the order and who is invoiced, as the payment page says it. */
export interface PaymentCustomer {
	/** « Extrait et facture envoyés à Ada Lovelace » */
	sent: string;
	/** Null in a browser that may not see it (docs/rules.md, R215). */
	email: string | null;
	/** What was probably meant by an e-mail address whose domain looks mistyped. */
	meant: { email?: string | undefined; deliveryEmail?: string | undefined };
	/** Other recipients, with what they get. */
	rows: [label: string, recipient: Recipient][];
	/** `note`: beside a letter to somebody else, whose name and address the invoice has; empty without one. */
	invoiced: { name: string; address: string; siren: string; vat: string; note: string };
}

export interface Recipient {
	lines: string[];
	/** When a letter arrives; null without one, and while none can be ordered. */
	arrival: string | null;
	/** What a letter is; null without one. */
	note: string | null;
}

/** What is sent to whom. `copies`, `letters`: null where nothing is. */
interface RecipientLabels {
	sent: string;
	copies: string | null;
	letters: string | null;
}

/**
 * @returns what is sent. Of several orders, each service has its e-mail, with its only PDF or one link to several. @param ordered the service
 * of each.
 */
export function describeSent(ordered: readonly ServiceCode[]): RecipientLabels {
	const letters = ordered.filter(isPosted).length;
	const pdfs = ordered.filter((service) => !isPosted(service));
	const links = new Set(pdfs).size;
	if (ordered.length === 1 && links === 1) return { sent: "Extrait et facture", copies: "PDF envoyé aussi à", letters: null };
	const isAttached = pdfs.length === links;
	const link = isAttached ? "PDF" : links > 1 ? "Liens de téléchargement" : "Lien de téléchargement";
	const tracking = letters > 1 ? "numéros de suivi" : "numéro de suivi";
	const withLinks = letters > 0 ? `${link}, facture et ${tracking}` : `${link} et facture`;
	return {
		sent: links > 0 ? withLinks : `Facture et ${tracking}`,
		copies: links > 0 ? `${link} ${links > 1 ? "envoyés" : "envoyé"} aussi à` : null,
		letters: letters === 0 ? null : letters > 1 ? "Courriers postés à" : "Courrier posté à",
	};
}

/**
 * @param values the values with all addresses filled in. @param meant what was probably meant by their e-mail addresses.
 * @param postedBy by when letters are posted if the customer pays now; null while they cannot be ordered. @param isMasked this browser may not
 * see the values.
 */
export function describeCustomer(
	values: OrderValues,
	{ sent, copies, letters }: RecipientLabels,
	{ meant, postedBy, isMasked }: { meant: PaymentCustomer["meant"]; postedBy: Date | null; isMasked: boolean },
): PaymentCustomer {
	if (isMasked)
		return {
			sent: `${sent} envoyés à l’adresse e-mail indiquée dans la commande`,
			email: null,
			meant: {},
			rows: letters ? [[letters, { lines: ["l’adresse indiquée dans la commande"], arrival: null, note: paperNotice }]] : [],
			invoiced: { name: "la personne ou la société indiquée dans la commande", address: "", siren: "", vat: "", note: "" },
		};
	const { firstName, lastName, email, deliveryEmail, company, address: street, postalCode, city, billingSiren, billingVat } = values;
	const name = `${firstName} ${lastName}`;
	const rows: PaymentCustomer["rows"] = [];
	if (copies && deliveryEmail) rows.push([copies, { lines: [deliveryEmail], arrival: null, note: null }]);
	if (letters) {
		const arrival = postedBy && announceArrival(postedBy, values.deliveryPostalCode || values.postalCode);
		rows.push([letters, { lines: formatDelivery(values), arrival, note: paperNotice }]);
	}
	return {
		sent: `${sent} envoyés à ${name}`,
		email,
		meant: { email: meant.email, deliveryEmail: copies ? meant.deliveryEmail : undefined },
		rows,
		invoiced: {
			name: company || name,
			address: formatAddress({ street, postalCode, city }),
			siren: billingSiren,
			vat: billingVat,
			note: letters ? describeOtherRecipient(values, name) : "",
		},
	};
}

/** @param person the customer. @returns what the invoice keeps when the letter goes to somebody else; else empty. */
function describeOtherRecipient(values: OrderValues, person: string): string {
	const { deliveryName, company } = values;
	if (deliveryName === "" || isNameOfCustomer(deliveryName, { person, company })) return "";
	const [billing, delivery] = [billingAddress, deliveryAddress].map((fields) => fields.map((field) => values[field]).join("\n"));
	const hasSameAddress = billing === delivery;
	return hasSameAddress
		? `La facture reste à ce nom, mais à l’adresse du destinataire du courrier (${deliveryName}).`
		: `La facture reste à ce nom et à cette adresse. Le courrier a un autre destinataire (${deliveryName}).`;
}

/** A letter without its own address goes to the billing address. */
function formatDelivery(values: OrderValues): string[] {
	const { deliveryName, deliveryComplement, deliveryAddress, deliveryPostalCode, deliveryCity, firstName, lastName } = values;
	const address = deliveryAddress
		? { street: deliveryAddress, postalCode: deliveryPostalCode, city: deliveryCity }
		: { street: values.address, postalCode: values.postalCode, city: values.city };
	return formatAddressLines({ name: deliveryName || `${firstName} ${lastName}`, complement: deliveryComplement, ...address });
}
