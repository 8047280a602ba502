/** What the page does with a form that is being filled in: checks and storage. Loaded when a field is first used; the server checks again. */
export { saveDraft } from "./draft.ts";
export { checkOrder, readOrderValues } from "./order-form.ts";
export { saveRemembered } from "./remembered.ts";
