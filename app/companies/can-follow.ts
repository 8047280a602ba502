import type { Company } from "./company.ts";

/** Whether alerts can be sent about a company: only notices about legal persons are read, and a masked unit shows none. */
export const canFollow = ({ masked, eligibility }: Pick<Company, "masked" | "eligibility">): boolean =>
	!masked && eligibility !== "extrait-k";

/** Companies that one mailbox may follow (docs/rules.md, R140). */
export const maxFollowedCompanies = 50;
