import type { RefusedShare } from "../sharing/share-form-errors.ts";
import type { RefusedCorrection } from "./addresses/address-sentences.ts";
import type { RefusedLetter } from "./addresses/letter-sentences.ts";

/** The customer's last request that was refused: the reason, and the message they typed. */
export interface RefusedRequest {
	refused: string;
	message?: string;
}

/** What the form of an order's page answers. `unpaid`: why the payment could not be resumed. */
export type RefusedForm = { unpaid: string } | RefusedRequest | RefusedCorrection | RefusedLetter | RefusedShare;

/** The refusals by the part of the page that shows them; null for those that were not asked. */
export const sortRefusal = (answer: RefusedForm | null | undefined) => ({
	unpaid: answer && "unpaid" in answer ? answer.unpaid : null,
	refused: answer && "refused" in answer ? answer : null,
	correction: answer && "correction" in answer ? answer : null,
	refusedLetter: answer && "letterErrors" in answer ? answer : null,
	refusedShare: answer && "shareErrors" in answer ? answer : null,
});
