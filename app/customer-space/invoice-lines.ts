import type { Cents } from "../catalogue/money.ts";
import type { InvoiceData } from "../invoices/invoice.ts";

/** The lines of an invoice or a credit note, with their prices TTC. */
export const getInvoiceLines = ({ line }: InvoiceData): readonly { description: string; total: Cents }[] => [line];
