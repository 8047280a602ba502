/** Parses and checks the parameters of a request as Stripe does. Sources: docs.stripe.com/api/errors, docs.stripe.com/error-codes. */

/** An error answer. `stored`: the endpoint had begun, so the same idempotency key gives the error again. */
export class ApiError extends Error {
	status: number;
	body: { type: string; code?: string; param?: string; message: string };
	stored: boolean;

	constructor(status: number, body: { type?: string; code?: string; param?: string; message: string }, stored = false) {
		super(body.message);
		this.status = status;
		this.body = { type: "invalid_request_error", ...body };
		this.stored = stored;
	}
}

const invalid = (message: string, param: string, code?: string) => new ApiError(400, { message, param, ...(code && { code }) });

/** An unchecked parameter: text, or a group of parameters in brackets. */
export type Raw = string | { [name: string]: Raw };

export type Check<Value> = (raw: Raw, param: string) => Value;

/** Reads `a[b][0]=c` into `{ a: { b: { 0: "c" } } }`. */
export function parseForm(form: string): { [name: string]: Raw } {
	const root: { [name: string]: Raw } = Object.create(null);
	for (const [name, value] of new URLSearchParams(form)) {
		const path = [name.split("[", 1)[0] ?? "", ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part ?? "")];
		let group = root;
		for (const [depth, part] of path.entries()) {
			// `expand[]=a&expand[]=b`
			const key = part === "" ? String(Object.keys(group).length) : part;
			if (depth === path.length - 1) group[key] = value;
			else {
				const next = group[key];
				const inner: { [name: string]: Raw } = typeof next === "object" ? next : Object.create(null);
				group[key] = inner;
				group = inner;
			}
		}
	}
	return root;
}

/** Text of at most `most` characters, not empty. */
export const text =
	(most = 5000): Check<string> =>
	(raw, param) => {
		if (typeof raw !== "string") throw invalid(`Invalid string: ${JSON.stringify(raw)}`, param);
		if (raw === "") throw invalid(`You passed an empty string for '${param}'.`, param, "parameter_invalid_empty");
		if (raw.length > most) throw invalid(`Invalid string: must be at most ${most} characters`, param);
		return raw;
	};

/** Stripe refuses letters beyond ASCII and domains without a dot: exercism/website #7721, fjordllc/bootcamp #7638. */
export const email: Check<string> = (raw, param) => {
	const address = text(800)(raw, param);
	if (!/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d-]+\.)+[a-z][a-z\d-]+$/i.test(address))
		throw invalid(`Invalid email address: ${address}`, param, "email_invalid");
	return address;
};

export const url: Check<string> = (raw, param) => {
	const address = text()(raw, param);
	if (!/^https?:\/\//.test(address) || !URL.canParse(address)) throw invalid("Not a valid URL", param, "url_invalid");
	return address;
};

export const integer =
	(least: number, most = Number.MAX_SAFE_INTEGER): Check<number> =>
	(raw, param) => {
		if (typeof raw !== "string" || !/^-?\d+$/.test(raw)) {
			throw invalid(`Invalid integer: ${typeof raw === "string" ? raw : JSON.stringify(raw)}`, param, "parameter_invalid_integer");
		}
		const value = Number(raw);
		if (value < least) throw invalid(`This value must be greater than or equal to ${least}.`, param, "parameter_invalid_integer");
		if (value > most) throw invalid(`This value must be less than or equal to ${most}.`, param, "parameter_invalid_integer");
		return value;
	};

export const flag: Check<boolean> = (raw, param) => {
	if (raw !== "true" && raw !== "false") throw invalid(`Invalid boolean: ${JSON.stringify(raw)}`, param);
	return raw === "true";
};

export const oneOf =
	<Choice extends string>(...choices: Choice[]): Check<Choice> =>
	(raw, param) => {
		if (!choices.includes(raw as Choice)) throw invalid(`Invalid ${param}: must be one of ${choices.join(", ")}`, param);
		return raw as Choice;
	};

/** At most 50 pairs; names of 40 and values of 500 characters. Source: docs.stripe.com/api/metadata. */
export const metadata: Check<Record<string, string>> = (raw, param) => {
	if (typeof raw !== "object") throw invalid("Invalid object", param);
	const pairs = Object.entries(raw);
	if (pairs.length > 50) throw invalid("Metadata can have up to 50 keys", param);
	for (const [name] of pairs) text(40)(name, param);
	return Object.fromEntries(pairs.map(([name, value]) => [name, text(500)(value, `${param}[${name}]`)]));
};

export const list =
	<Value>(check: Check<Value>): Check<Value[]> =>
	(raw, param) => {
		if (typeof raw !== "object" || Object.keys(raw).some((key, index) => key !== String(index))) throw invalid("Invalid array", param);
		return Object.entries(raw).map(([key, value]) => check(value, `${param}[${key}]`));
	};

type Checks = Record<string, Check<unknown>>;
type Checked<All extends Checks> = { [Name in keyof All]: ReturnType<All[Name]> };

/** Checks a group of required and optional parameters; refuses others. */
export const fields =
	<RequiredChecks extends Checks, OptionalChecks extends Checks>(
		required: RequiredChecks,
		optional: OptionalChecks,
	): Check<Checked<RequiredChecks> & Partial<Checked<OptionalChecks>>> =>
	(raw, param) => {
		const named = (name: string) => (param === "" ? name : `${param}[${name}]`);
		if (typeof raw !== "object") throw invalid("Invalid object", param);
		const known: Checks = { ...required, ...optional };
		for (const name of Object.keys(required)) {
			if (raw[name] === undefined) throw invalid(`Missing required param: ${named(name)}.`, named(name), "parameter_missing");
		}
		const checked = Object.entries(raw).map(([name, value]) => {
			const check = Object.hasOwn(known, name) ? known[name] : undefined;
			if (check === undefined) throw invalid(`Received unknown parameter: ${named(name)}`, named(name), "parameter_unknown");
			return [name, check(value, named(name))];
		});
		return Object.fromEntries(checked);
	};
