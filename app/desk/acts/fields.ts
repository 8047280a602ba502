import { isUuid } from "../../../server/uuid.ts";
import type { Cents } from "../../catalogue/money.ts";
import { isEmail } from "../../mail/email-address.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { suggestEmail } from "../../mail/suggest-email.ts";
import { parseEuros } from "../../orders/refunds/parse-euros.ts";
import type { ActRefusal } from "./act.ts";

/** The fields of a form of the desk, as they were sent. */
export type Fields = Readonly<Record<string, string>>;

/** `field`: the field that the sentence is about, when it is another one; null when it is about none that the operator sees. */
type FieldResult<Value> = { ok: true; value: Value } | { ok: false; text: string; field?: string | null };

/** Reads a field. @param typed undefined when the form does not have it. @param sent all fields. */
export type FieldParser<Value> = (typed: string | undefined, sent: Fields) => FieldResult<Value>;

export type FieldParsers<Input> = { [Name in keyof Input]: FieldParser<Input[Name]> };

/** Reads the fields of an act, in the order of its table; the first one that cannot be read is refused. */
export function readFields<Input>(parsers: FieldParsers<Input>, sent: Fields): { ok: true; input: Input } | ActRefusal {
	const input: Partial<Input> = {};
	for (const name in parsers) {
		const typed = Object.hasOwn(sent, name) ? sent[name] : undefined;
		const read = parsers[name](typed, sent);
		if (!read.ok) {
			const { text, field = name } = read;
			return { ok: false, text, ...(field !== null && { field }) };
		}
		input[name] = read.value;
	}
	return { ok: true, input: input as Input };
}

export const value = <Value>(read: Value) => ({ ok: true as const, value: read });
export const refuseField = (text: string, field?: string | null) => ({ ok: false as const, text, ...(field !== undefined && { field }) });

/** The UUID of something that the page showed, which the operator does not type. @param text shown when it is none. */
export const id =
	(text: string): FieldParser<string> =>
	(typed = "") =>
		isUuid(typed) ? value(typed) : refuseField(text, null);

/** A UUID; null when there is none. */
export const optionalId: FieldParser<string | null> = (typed = "") => value(isUuid(typed) ? typed : null);

/** A text as it was typed, also an empty one. */
export const anyText: FieldParser<string> = (typed = "") => value(typed);

/** A trimmed text. @param max in characters. @param text shown when there is none, or it is longer. */
export const text =
	(text: string, max = Number.POSITIVE_INFINITY): FieldParser<string> =>
	(typed = "") => {
		const trimmed = typed.trim();
		return trimmed === "" || trimmed.length > max ? refuseField(text) : value(trimmed);
	};

/** One of these codes. */
export const oneOf =
	<Code extends string>(codes: readonly Code[], text: string): FieldParser<Code> =>
	(typed) => {
		const code = codes.find((each) => each === typed);
		return code === undefined ? refuseField(text) : value(code);
	};

export const email: FieldParser<string> = (typed = "") => {
	const read = readEmail(typed);
	if (isEmail(read)) return value(read);
	const meant = suggestEmail(read);
	return refuseField(`Cette adresse e-mail n’est pas valable.${meant === null ? "" : ` Vouliez-vous dire ${meant}\u00a0?`}`);
};

/** An amount in euros, as cents. */
export const euros: FieldParser<Cents> = (typed = "") => {
	const amount = parseEuros(typed);
	return amount === null ? refuseField("Ce montant ne se lit pas\u00a0: écrivez par exemple 3,20.") : value(amount);
};
