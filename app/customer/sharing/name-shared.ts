import type { Environment } from "../../../server/environment/environment.ts";
import type { Company } from "../../companies/company.ts";
import { unnamed } from "../../companies/company-name.ts";
import type { Order } from "../../orders/order.ts";

/** What a shared document is called. @param company null when the register no longer has it. */
export function nameShared(issuer: Environment["issuer"], company: Pick<Company, "eligibility"> | null): string {
	if (issuer === "specimen") return "Spécimen sans valeur";
	return company?.eligibility === "extrait-k" ? "Extrait K" : "Extrait Kbis";
}

/** The company of an extract for who has not opened it; null when it is masked, unknown, or a person, who may be the customer. */
export function nameCompany(
	{ company_name: name, siren }: Pick<Order, "company_name" | "siren">,
	company: Pick<Company, "name" | "eligibility"> | null,
): { name: string; siren: string } | null {
	const isNamed = company !== null && company.name !== null && company.eligibility !== "extrait-k" && name !== unnamed;
	return isNamed ? { name, siren } : null;
}
