/** The French name of each document type. */
export const documentNames: Record<string, string> = { kbis: "Extrait", invoice: "Facture", credit_note: "Avoir" };
