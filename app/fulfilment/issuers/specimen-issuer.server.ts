import { createHash } from "node:crypto";
import { formatHour, formatLongDay } from "../../catalogue/instants.ts";
import type { Company } from "../../companies/company.ts";
import type { Siren } from "../../companies/siren.ts";
import { demoTracking } from "../../orders/letter-tracking.ts";
import type { ExtractRequest, Issuer } from "./issuer.ts";
import { drawSpecimen } from "./specimen-pdf.server.ts";

/** Finds what the register says of a company, for the rubrics of its specimen. */
export type FindCompany = (siren: Siren) => Promise<Company | null>;

/** Milliseconds between the specimens of one purchase, so that its page is seen living. */
const pace = 1000;

/**
 * The demo's issuer: it issues a page marked SPÉCIMEN that imitates nothing official. The first order of a purchase gets it at once, the
 * others one after another, so that its live updates can be seen. A generated Kbis would be a forgery (docs/rules.md, R21).
 */
export function specimenIssuer(now: () => Date, find: FindCompany = async () => null): Issuer {
	return {
		name: "specimen",
		async request() {
			return { state: "requested" };
		},
		async result(order) {
			const readyAt = new Date(order.paidAt.getTime() + (order.line - 1) * pace);
			if (order.line > 1 && now() < readyAt) return { state: "pending", readyAt };
			return { state: "ready", pdf: await makeSpecimen(order, now(), await find(order.siren)), issuedAt: now() };
		},
		async post(order) {
			const digits = BigInt(`0x${hashOrder(order).slice(0, 15)}`).toString();
			return { state: "posted", trackingNumber: `${demoTracking}${digits.slice(0, 11).padStart(11, "0")}` };
		},
	};
}

type SpecimenSubject = Pick<ExtractRequest, "orderId" | "siren" | "companyName">;

const hashOrder = ({ orderId }: SpecimenSubject) => createHash("sha256").update(orderId).digest("hex");

/**
 * Makes a specimen to drop at the demo's desk. Its date stands there as in an extract, so that the checks find it.
 * @returns the bytes of a PDF.
 */
export const makeSpecimenToDrop = (order: SpecimenSubject, now: Date, company: Company | null): Promise<Uint8Array> =>
	makeSpecimen(order, now, company, `Spécimen édité le ${formatLongDay(now)} à ${formatHour(now)}`);

const makeSpecimen = (order: SpecimenSubject, now: Date, company: Company | null, dated = `Produit le ${formatLongDay(now)}`) =>
	// no two orders have the same file, as no two extracts are the same; a reader with whom it is shared learns no order number
	drawSpecimen({ ...order, company, number: hashOrder(order).slice(0, 12), dated, issuedAt: now });
