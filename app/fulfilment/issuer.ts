import type { Siren } from "../companies/siren.ts";

export interface ExtractRequest {
	orderId: string;
	orderNumber: string;
	siren: Siren;
	companyName: string;
}

/** Who obtains the extract. Every call may be repeated for the same order without harm. */
export interface Issuer {
	name: string;
	/** `not-available`: it never issues an extract for this company. */
	request(order: ExtractRequest): Promise<{ state: "accepted" } | { state: "not-available" }>;
	/** `pending`: the upload sends the job again. `not-found`: the registry has no extract. */
	result(
		order: ExtractRequest,
	): Promise<{ state: "ready"; pdf: Uint8Array; issuedAt: Date } | { state: "pending" } | { state: "not-found" }>;
	post(order: ExtractRequest): Promise<{ state: "posted"; trackingNumber: string } | { state: "pending" }>;
}
