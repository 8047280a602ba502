import type { Siren } from "../../companies/siren.ts";

export interface ExtractRequest {
	orderId: string;
	siren: Siren;
	companyName: string;
	paidAt: Date;
	/** The place of the order in its purchase, from 1. */
	line: number;
}

/** Obtains extracts. Every call is idempotent per order and company. */
export interface Issuer {
	name: string;
	/**
	 * `queued`: the order waits for a person, who asks the registry and says so (docs/rules.md, R204). `requested`: the registry is asked.
	 * `not-available`: no extract is ever issued for this company.
	 */
	request(order: ExtractRequest): Promise<{ state: "queued" | "requested" | "not-available" }>;
	/**
	 * `pending`: not uploaded yet; the upload sends the job again, or the job asks again at `readyAt`. `not-found`: the registry has no
	 * extract.
	 */
	result(
		order: ExtractRequest,
	): Promise<{ state: "ready"; pdf: Uint8Array; issuedAt: Date } | { state: "pending"; readyAt?: Date } | { state: "not-found" }>;
	post(order: ExtractRequest): Promise<{ state: "posted"; trackingNumber: string } | { state: "pending" }>;
}
