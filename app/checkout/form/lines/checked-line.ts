import type { ServiceCode } from "../../../catalogue/services.ts";
import type { CompanyPreview } from "../../../companies/company.ts";
import type { Siren } from "../../../companies/siren.ts";
import type { FormLine } from "../form-line.ts";

/** Why a line is not ordered. */
export type LineProblem =
	/** No company has this SIREN, or this name. */
	| { code: "unknown-siren" | "unknown-name" }
	/** The number is no SIREN: its check digit is wrong, or it has another number of digits. */
	| { code: "wrong-key" }
	| { code: "wrong-length"; digits: number }
	| { code: "shortened" }
	| { code: "empty" }
	/** Several companies have this name or these numbers. */
	| { code: "ambiguous" }
	/** No company has exactly this name; of one or several, it is like theirs. */
	| { code: "similar" | "all-similar" }
	/** The number is that of this company, whose name is not the one beside it. */
	| { code: "other-name"; company: string }
	| { code: "no-extract" }
	/** The same company, service and reference as an earlier line. */
	| { code: "duplicate"; of: number }
	| { code: "long-reference" };

/** What a customer should know about a line that is ordered. */
export type LineRemark =
	/** The company is also on an earlier line of the same service, with another reference. A letter and its PDF ask nothing. */
	| { code: "again"; of: number }
	/** The SIRET is of no open establishment of the company. */
	| { code: "closed-establishment"; siret: string }
	/** Found by its name. */
	| { code: "by-name" };

/** A line of the form with what the register says of it. */
export interface CheckedLine {
	/** From 1. */
	place: number;
	line: FormLine;
	/** Its own, or that of the form; null: still to be chosen. */
	service: ServiceCode | null;
	/** Both null when the company is unknown, or still to be chosen. */
	siren: Siren | null;
	company: CompanyPreview | null;
	/** Those that may be meant, where none is certain: the best ones. */
	choices: CompanyPreview[];
	/** Null: the line is ordered. */
	problem: LineProblem | null;
	remarks: LineRemark[];
}

/** A line that can be ordered: without a problem, its company is known. */
export interface OrderableLine extends CheckedLine {
	siren: Siren;
	company: CompanyPreview;
	problem: null;
}

/** An orderable line with its service. */
export interface OrderedLine extends OrderableLine {
	service: ServiceCode;
}

export const isOrdered = (line: CheckedLine): line is OrderedLine => isOrderable(line) && line.service !== null;

export const isOrderable = (line: CheckedLine): line is OrderableLine => line.problem === null;
