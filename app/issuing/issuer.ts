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
	request(order: ExtractRequest): Promise<void>;
	result(order: ExtractRequest): Promise<{ state: "ready"; pdf: Uint8Array; issuedAt: Date } | { state: "pending" }>;
	post(order: ExtractRequest): Promise<{ state: "posted"; trackingNumber: string } | { state: "pending" }>;
}
