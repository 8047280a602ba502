/** The code that arrives when a field of the order form is first used: one file, which the page names once. */
export * from "../form-functions.ts";
export { FormFields } from "./form-fields.tsx";
export { FormSummary } from "./form-summary.tsx";
