import type { Eligibility } from "./company.ts";

/** Notices that a customer must see before paying. */
export type CompanyNoticeCode = "no-extract" | "ceased" | "removed" | "extrait-k-to-verify" | "kbis-to-verify";

export interface CompanyNotice {
	/**
	 * `published`: what the bulletin BODACC published, which only the steps before a payment say (docs/rules.md, R4). `by-name`: how a list
	 * found the company, and `again`: that it stands on another line too, which the payment says once more.
	 */
	code: CompanyNoticeCode | "published" | "by-name" | "again";
	title: string;
	text: string;
}

/** Pages, the form, the payment step and the API all use these texts (docs/rules.md, R4). */
const notices: Record<CompanyNoticeCode, Omit<CompanyNotice, "code">> = {
	"no-extract": {
		title: "Pas d’extrait Kbis",
		text: "Cet organisme n’est pas immatriculé au registre du commerce et des sociétés. Il n’a donc pas de Kbis, et il n’y a rien à commander. Son extrait RNE, s’il existe, est gratuit sur data.inpi.fr.",
	},
	ceased: {
		title: "Entreprise cessée",
		text: "D’après l’Insee, cette entreprise n’a plus d’activité. L’extrait le mentionnera. Si le greffe n’a plus d’extrait à délivrer, nous vous remboursons.",
	},
	removed: {
		title: "Entreprise radiée",
		text: "Cette entreprise est radiée du registre. L’extrait le mentionnera. Si le greffe n’a plus d’extrait à délivrer, nous vous remboursons.",
	},
	"extrait-k-to-verify": {
		title: "Un extrait K, à vérifier",
		text: "Un entrepreneur individuel commerçant a un extrait K. Les autres, professions libérales ou artisans hors du registre du commerce, n’en ont pas\u00a0: si le greffe n’en trouve pas, son prix vous est remboursé.",
	},
	"kbis-to-verify": {
		title: "Un extrait Kbis, à vérifier",
		text: "Certaines sociétés d’assurance mutuelles sont immatriculées au registre du commerce et des sociétés, d’autres non\u00a0: si le greffe ne trouve pas celle-ci, le prix de l’extrait vous est remboursé.",
	},
};

/** The refusal of an order for a SIREN that no company has, in the form and the API. */
export const unknownCompany = "Entreprise introuvable";

/** The refusal of an order without an extract, in the form and the API. */
export const noExtractRefusal = "Cet organisme n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr.";

/** INSEE's legal category of mutual insurers. Some are in the RCS, and no public register says which. */
const mutualInsurer = "6411";

/**
 * Lists the notices for an order of a company's extract.
 * @param legalCategory INSEE's code of four digits.
 */
export function listNotices(eligibility: Eligibility, status: "active" | "ceased" | "removed", legalCategory: string): CompanyNotice[] {
	if (eligibility === "none") return [toNotice("no-extract")];
	const codes: CompanyNoticeCode[] = [];
	if (status !== "active") codes.push(status);
	if (eligibility === "extrait-k") codes.push("extrait-k-to-verify");
	if (legalCategory === mutualInsurer) codes.push("kbis-to-verify");
	return codes.map(toNotice);
}

const toNotice = (code: CompanyNoticeCode): CompanyNotice => ({ code, ...notices[code] });
