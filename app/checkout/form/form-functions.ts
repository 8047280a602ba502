/** What the page does with a form that is being filled in: checks and storage. Loaded when a field is first used; the server checks again. */
export { saveDraft } from "./draft.ts";
export { correctTyped } from "./email-correction.ts";
export { fillFields } from "./fields/fill-fields.ts";
export { checkFormValues, completeValues } from "./form-values.ts";
export { checkOrder } from "./order-form.ts";
export { readOrderValues } from "./read-order-values.ts";
export { deleteRemembered, loadRemembered, saveRemembered } from "./remembered.ts";
export { summariseErrors } from "./summarise-errors.ts";
