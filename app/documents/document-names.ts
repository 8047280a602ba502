/** What a document is called, by its type. */
export const documentNames: Record<string, string> = { kbis: "Extrait", invoice: "Facture", credit_note: "Avoir" };
