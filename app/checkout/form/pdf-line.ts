import type { ServiceCode } from "../../catalogue/services.ts";

/** The button that adds the PDF to a letter: a second extract of its company, because the registry sells both apart. */
export const pdfIntent = "with-pdf";

/** The service of that extract: the customer waits for the letter too. */
export const pdfService: ServiceCode = "standard";
