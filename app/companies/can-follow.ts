import type { Company } from "./company.ts";

/** Whether we may have notices about a company: only those about legal persons are imported, and a masked unit shows none. */
export const canFollow = ({ masked, eligibility }: Pick<Company, "masked" | "eligibility">): boolean =>
	!masked && eligibility !== "extrait-k";

/** Companies that one mailbox may follow (docs/rules.md, R140). */
export const maxFollowedCompanies = 50;
