import type { Books } from "./books.ts";
import type { Thing } from "./objects.ts";
import { ApiError, email, fields, flag, integer, list, metadata, oneOf, parseForm, type Raw, text, url } from "./parameters.ts";

/** The endpoints of Stripe's API that the shop uses, as in docs.stripe.com/api. */

export interface Call {
	method: string;
	path: string;
	/** The form of a POST, the query of a GET. */
	form: string;
}

/** Settings that a test can change. */
export interface Mode {
	now: () => Date;
	livemode: boolean;
	refundStatus: "succeeded" | "pending";
}

/** Cents. Source: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
const minAmount = 50;
const maxAmount = 99_999_999;

const expand = { expand: list(text()) };
const noParameters = fields({}, expand);
const paging = { limit: integer(1, 100), starting_after: text(), ...expand };
const moment = integer(0);

const newSession = fields(
	{
		mode: oneOf("payment"),
		line_items: list(
			fields(
				{
					quantity: integer(1, 999_999),
					price_data: fields(
						{
							currency: oneOf("eur"),
							unit_amount: integer(0),
							product_data: fields({ name: text(1500) }, { description: text(), metadata }),
						},
						{ tax_behavior: oneOf("inclusive", "exclusive", "unspecified") },
					),
				},
				{},
			),
		),
		success_url: url,
	},
	{
		...expand,
		allowed_payment_method_types: list(oneOf("card")),
		cancel_url: url,
		client_reference_id: text(200),
		customer_email: email,
		expires_at: moment,
		invoice_creation: fields({ enabled: flag }, {}),
		adaptive_pricing: fields({ enabled: flag }, {}),
		locale: oneOf("auto", "en", "fr"),
		metadata,
		payment_intent_data: fields({}, { description: text(1000), metadata, statement_descriptor_suffix: text(22) }),
		ui_mode: oneOf("hosted_page"),
	},
);

const newRefund = fields(
	{},
	{
		...expand,
		amount: integer(1),
		charge: text(),
		metadata,
		payment_intent: text(),
		reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
	},
);

const within = fields({}, { gt: moment, gte: moment, lt: moment, lte: moment });
const byPayment = { payment_intent: text() };
const sessionList = fields({}, { ...paging, created: within, ...byPayment, status: oneOf("open", "complete", "expired") });
const intentList = fields({}, { ...paging, created: within });
const transactionList = fields({}, { ...paging, created: within, payout: text(), source: text(), type: text() });
const payoutList = fields({}, { ...paging, created: within, arrival_date: within, status: oneOf("pending", "paid", "failed", "canceled") });
const moneyList = fields({}, { ...paging, created: within, ...byPayment, charge: text() });

/** Answers one request. @throws ApiError for a request that Stripe would refuse. */
export function answer(books: Books, { now, livemode, refundStatus }: Mode, { method, path, form }: Call): unknown {
	const raw = parseForm(form);
	books.expireOverdue();
	const [, version, ...parts] = path.split("/");
	const endpointName = `${method} ${parts.map((part) => (/^(cs|pi|ch|re|du)_/.test(part) ? "{id}" : part)).join("/")}`;
	const id = decodeURIComponent(parts.find((part) => /^(cs|pi|ch|re|du)_/.test(part)) ?? "");
	const show = (thing: Thing, paths: string[] = []) => expandAll(books, thing, paths);
	const one = (find: () => Thing) => {
		const { expand: paths } = noParameters(raw, "");
		return show(find(), paths);
	};
	const endpoints: Record<string, () => unknown> = {
		"POST checkout/sessions": () => {
			const parameters = newSession(raw, "");
			return show(books.openSession(toNewSession(parameters, now(), livemode)), parameters.expand);
		},
		"GET checkout/sessions": () => page(books, path, books.sessions, sessionList(raw, "")),
		"GET checkout/sessions/{id}": () => one(() => books.get(books.sessions, id, "checkout.session", "session")),
		"POST checkout/sessions/{id}/expire": () => {
			one(() => books.get(books.sessions, id, "checkout.session", "session")); // a refused request must not close the session
			return one(() => books.expireSession(id));
		},
		"GET payment_intents": () => page(books, path, books.intents, intentList(raw, "")),
		"GET payment_intents/{id}": () => one(() => books.get(books.intents, id, "payment_intent", "intent")),
		"GET charges": () => page(books, path, books.charges, moneyList(raw, "")),
		"GET charges/{id}": () => one(() => books.get(books.charges, id, "charge", "id")),
		"POST refunds": () => {
			const parameters = newRefund(raw, "");
			if ((parameters.payment_intent === undefined) === (parameters.charge === undefined)) {
				throw new ApiError(400, { message: "One of the following params should be provided for this request: payment_intent or charge." });
			}
			const payment = parameters.payment_intent ?? books.get(books.charges, parameters.charge ?? "", "charge").payment_intent;
			return show(books.refund(payment, parameters, refundStatus), parameters.expand);
		},
		"GET refunds": () => page(books, path, books.refunds, moneyList(raw, "")),
		"GET refunds/{id}": () => one(() => books.get(books.refunds, id, "refund", "id")),
		"GET disputes": () => page(books, path, books.disputes, moneyList(raw, "")),
		"GET disputes/{id}": () => one(() => books.get(books.disputes, id, "dispute", "id")),
		"GET balance_transactions": () => {
			const { payout, ...filter } = transactionList(raw, "");
			const { transactions, payoutOf } = books.balance;
			if (payout !== undefined) books.get(books.balance.payouts, payout, "payout");
			const paidOut = [...transactions].filter(
				([id, { source }]) => payout === undefined || payoutOf.get(id) === payout || source === payout,
			);
			return page(books, path, new Map(paidOut), filter);
		},
		"GET payouts": () => page(books, path, books.balance.payouts, payoutList(raw, "")),
		"GET balance": () => ({ object: "balance", livemode, available: [{ amount: 0, currency: "eur" }], pending: [] }),
	};
	const endpoint = version === "v1" ? endpoints[endpointName] : undefined;
	if (!endpoint) throw new ApiError(404, { message: `Unrecognized request URL (${method}: ${path}).` });
	return endpoint();
}

/** Rules that concern several parameters at once. Source: docs.stripe.com/api/checkout/sessions/create. */
function toNewSession(parameters: ReturnType<typeof newSession>, now: Date, livemode: boolean): Parameters<Books["openSession"]>[0] {
	const seconds = Math.floor(now.getTime() / 1000);
	const expiresAt = parameters.expires_at ?? seconds + 24 * 3600;
	const late = (message: string) => new ApiError(400, { param: "expires_at", message });
	if (expiresAt < seconds + 30 * 60) throw late("The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.");
	if (expiresAt > seconds + 24 * 3600) throw late("The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.");
	const [item] = parameters.line_items;
	if (!item) throw new ApiError(400, { code: "parameter_missing", param: "line_items", message: "Missing required param: line_items." });
	const amount = parameters.line_items.reduce((sum, { quantity, price_data }) => sum + quantity * price_data.unit_amount, 0);
	if (amount < minAmount) throw new ApiError(400, { code: "amount_too_small", message: "The total amount must be at least 0.50 €." });
	if (amount > maxAmount) throw new ApiError(400, { code: "amount_too_large", message: "The total amount must be at most 999,999.99 €." });
	return {
		amount,
		currency: item.price_data.currency,
		product: item.price_data.product_data.name,
		intentMetadata: parameters.payment_intent_data?.metadata ?? {},
		session: {
			livemode,
			client_reference_id: parameters.client_reference_id ?? null,
			customer_email: parameters.customer_email ?? null,
			metadata: parameters.metadata ?? {},
			locale: parameters.locale ?? null,
			expires_at: expiresAt,
			success_url: parameters.success_url,
			cancel_url: parameters.cancel_url ?? null,
		},
	};
}

interface Filter {
	limit?: number;
	starting_after?: string;
	expand?: string[];
	created?: { gt?: number; gte?: number; lt?: number; lte?: number };
	payment_intent?: string;
	charge?: string;
	status?: string;
	source?: string;
	type?: string;
}

/** One page of a list, newest first. Source: docs.stripe.com/api/pagination. */
function page(books: Books, path: string, things: Map<string, Thing>, filter: Filter) {
	const {
		limit = 10,
		starting_after: after,
		expand: paths = [],
		created: { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = {},
	} = filter;
	if (filter.payment_intent !== undefined) books.get(books.intents, filter.payment_intent, "payment_intent");
	const matches = (thing: Thing): boolean =>
		thing.created > gt &&
		thing.created >= gte &&
		thing.created < lt &&
		thing.created <= lte &&
		(["payment_intent", "charge", "status", "source", "type"] as const).every(
			(name) => filter[name] === undefined || (thing as unknown as Record<string, unknown>)[name] === filter[name],
		);
	const all = [...things.values()].reverse();
	const at = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
	if (after !== undefined && at === -1) {
		throw new ApiError(400, { code: "resource_missing", param: "starting_after", message: `No such object: '${after}'` });
	}
	const left = all.slice(at + 1).filter(matches);
	const inner = paths.map((wanted) => {
		if (!wanted.startsWith("data.")) throw cannotExpand(wanted);
		return wanted.slice("data.".length);
	});
	const data = left.slice(0, limit).map((thing) => expandAll(books, thing, inner));
	return { object: "list", url: path, has_more: left.length > limit, data };
}

const cannotExpand = (path: string) => new ApiError(400, { param: "expand", message: `This property cannot be expanded (${path}).` });

/** The objects whose id each property contains. */
const expandable: Record<string, (books: Books) => Map<string, Thing>> = {
	payment_intent: (books) => books.intents,
	latest_charge: (books) => books.charges,
	charge: (books) => books.charges,
	source: ({ charges, refunds, disputes, balance: { payouts } }) =>
		new Map<string, Thing>([...charges, ...refunds, ...disputes, ...payouts]),
};

/** Copies an object and replaces the ids named by `paths` with objects. */
function expandAll(books: Books, thing: Thing, paths: string[]): Record<string, Raw | unknown> {
	const copy: Record<string, unknown> = structuredClone(thing) as object as Record<string, unknown>;
	for (const path of paths) {
		const [name = "", ...rest] = path.split(".");
		const objects = expandable[name]?.(books);
		if (!objects || !(name in copy)) throw cannotExpand(path);
		const id = (thing as unknown as Record<string, unknown>)[name];
		const inner = typeof id === "string" ? objects.get(id) : undefined;
		if (inner) copy[name] = expandAll(books, inner, rest.length > 0 ? [rest.join(".")] : []);
	}
	return copy;
}
