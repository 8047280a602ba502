/** The maximum size of an extract, in bytes: no larger file is delivered. */
export const maxExtractBytes = 10 * 2 ** 20;
