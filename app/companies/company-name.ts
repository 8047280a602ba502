/** What stands for the name of a company that has none to show: it is masked, or the register has no name. */
export const unnamed = "Entreprise";

/** The name of a company for pages, e-mails and documents. */
export const companyName = (name: string | null | undefined): string => name ?? unnamed;
