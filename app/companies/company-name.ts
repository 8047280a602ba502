import { formatSiren } from "./siren.ts";

/** What stands for the name of a company that has none to show: it is masked, or the register has no name. */
export const unnamed = "Entreprise";

interface NamedCompany {
	company_name: string;
	siren: string;
}

/** « DANONE »; without a name « SIREN 552 032 534 »: several such companies stand side by side in a mailbox. */
export const nameInSubject = ({ company_name, siren }: NamedCompany): string =>
	company_name === unnamed ? `SIREN ${formatSiren(siren)}` : company_name;

/** « DANONE (SIREN 552032534) », « l’entreprise (SIREN 552032534) »: within a sentence. */
export const nameInSentence = ({ company_name, siren }: NamedCompany): string =>
	`${company_name === unnamed ? "l’entreprise" : company_name} (SIREN ${siren})`;

/** The name of a company for pages, e-mails and documents. */
export const companyName = (name: string | null | undefined): string => name ?? unnamed;
