import type { FormPageData } from "./describe-form.server.ts";
import type { CompanySearchResult } from "./form-buttons.server.ts";
import type { OrderErrors, OrderField } from "./order-form.ts";

/** What the server says of a form that it shows again. */
export interface FormState {
	/** `lines`: nothing is ordered. `ligne-7`: line 7's own service is closed. `reference-1`: that of the only line is too long. */
	errors: OrderErrors & { lines?: string; [line: `${"ligne" | "reference"}-${number}`]: string };
	/** The same for the summary above the form, where it says more of a field than the sentence beside it. */
	summary?: FormState["errors"];
	/** What was probably meant by an e-mail address whose domain looks mistyped. */
	suggestions: OrderErrors;
	/** Such an address stopped the form: the next submit passes. */
	doubtful: OrderField | null;
	/** The result of the search for the company of the extract. */
	found: CompanySearchResult | null;
	/** The result of the search for the company of the invoice. */
	billingFound: CompanySearchResult | null;
	/** A sentence about a form that could not be stored, or while the shop is closed. */
	refusal: string | null;
	/** The places of lines that were sent to the payment before the page had shown what they order. */
	unseen: number[];
	/** What was typed in the field for further companies, and could not be added. */
	added: string;
}

export const noFindings: FormState = {
	errors: {},
	suggestions: {},
	doubtful: null,
	found: null,
	billingFound: null,
	refusal: null,
	unseen: [],
	added: "",
};

/** The page of a form that is shown again. */
export type FormPage = FormPageData & FormState;
