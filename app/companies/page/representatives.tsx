import type { Company } from "../company.ts";

/** Whether a page says who represents a company: those with a Kbis, which names them. */
export const hasRepresentatives = ({ masked, eligibility }: Pick<Company, "masked" | "eligibility">): boolean =>
	!masked && eligibility === "kbis";

/** Where the representatives of a company stand free of charge: the shop stores none (docs/rules.md, R240). */
export function RepresentativesLink({ siren }: { siren: string }) {
	return (
		<a className="link" rel="external" href={`https://annuaire-entreprises.data.gouv.fr/dirigeants/${siren}`}>
			Annuaire des entreprises
		</a>
	);
}
