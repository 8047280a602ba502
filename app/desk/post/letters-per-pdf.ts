/** Letters of one PDF at most; a test compares it with the use case, which the browser does not load. */
export const lettersPerPdf = 50;
