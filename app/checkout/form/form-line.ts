import { href } from "react-router";
import { parseSiren, type Siren } from "../../companies/siren.ts";

/** An extract of a form. */
export interface FormLine {
	/** As typed or chosen: a SIREN, a SIRET or a name. */
	company: string;
	/** The customer's own reference. */
	reference: string;
	/** Empty: the service of the form. */
	service: string;
	/** The company that was shown, once the form is sent to the payment; null: the line is not ordered. */
	siren: Siren | null;
}

/** A line of the form's own service that was not sent yet. */
export const toFormLine = ({ company, reference = "" }: { company: string; reference?: string }): FormLine => ({
	company,
	reference,
	service: "",
	siren: null,
});

/** A line of a company that its customer was shown. */
export const toSentLine = (siren: Siren): FormLine => ({ company: siren, reference: "", service: "", siren });

/** Whether a form shows its lines as a list: one extract of a known number, without its own service, needs none. */
export const isList = (lines: readonly FormLine[]): boolean =>
	lines.length > 1 || lines.some(({ company, service }) => service !== "" || parseSiren(company) === null);

/** The page of a stored form with a list. */
export const getListUrl = (token: string): string => `${href("/commande/plusieurs")}?commande=${token}`;

/** The page of a stored form. */
export const getFormUrl = ({ token, lines }: { token: string; lines: readonly FormLine[] }): string =>
	isList(lines) ? getListUrl(token) : `${href("/commande")}?commande=${token}`;
