import { formatAddress } from "../../companies/addresses/address-lines.ts";

/** The fields that say who is invoiced. */
export const billingFields = ["company", "billingSiren", "billingVat", "address", "postalCode", "city"] as const;

/** Who an invoice names: a company, or the customer in person when `company` is empty. */
export type BillingIdentity = Record<(typeof billingFields)[number], string>;

/** The choice of the last invoice's identity, which comes along in `lastBillingField`: it is read as `other` (docs/rules.md, R198). */
export const lastBilling = "last";
export const lastBillingField = "lastBilling";

/** @returns the identity that an invoice of these completed values names; null without an address, which the form asks for. */
export function toIdentity(values: Readonly<Record<string, string>>): BillingIdentity | null {
	const { company = "", billingSiren = "", billingVat = "", address = "", postalCode = "", city = "" } = values;
	return address && postalCode && city ? { company, billingSiren, billingVat, address, postalCode, city } : null;
}

/** « CABINET LEROY, 1 rue A, 75001 Paris » */
export const formatIdentity = ({ company, address, postalCode, city }: BillingIdentity): string =>
	formatAddress({ name: company || "À votre nom", street: address, postalCode, city });

/** The identity as a field of the form, for its choice. */
export const encodeIdentity = (identity: BillingIdentity): string => String(new URLSearchParams(identity));
