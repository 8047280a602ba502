import { type RawBuilder, sql } from "kysely";
import { literals } from "../../../server/database/database.ts";
import { maxWaitMinutes } from "../../../server/health-limits.ts";
import { formatStamp } from "../../catalogue/instants.ts";
import { inProgressStatuses } from "../../orders/lifecycle.ts";
import { isEffectiveRefund } from "../../orders/refunds/refund-figures.store.server.ts";
import { countUnannounced } from "../../payments/payments.store.server.ts";
import { type Check, createResult, type DoctorContext, formatCount } from "./check.ts";

const minutesAgo = ({ now }: DoctorContext, minutes: number) => new Date(now().getTime() - minutes * 60_000);
const dayMinutes = 1440;

interface OverdueItem {
	named: string;
	since: Date;
}

/** Payments that were found by asking the provider, because none of its events comes. */
const eventsCheck: Check = {
	name: "events",
	what: "Events of the payment provider",
	how: "every payment of the last day is announced, or an event came after it",
	todo: "Compare STRIPE_WEBHOOK_SECRET and the endpoint with Stripe's pages: orders arrive two minutes late (docs/operations.md, PaymentsUnannounced).",
	async examine({ db, now }) {
		const payments = await countUnannounced(db, now());
		return payments === 0 ? createResult("they come") : createResult("none comes", `${formatCount(payments, "payment")} found by asking.`);
	},
};

/** Orders refunded in full, except late ones, are owed nothing more (see checkCorrectable). */
const isFullyRefunded = sql`(select coalesce(sum(amount_cents) >= price_cents and bool_and(reason <> 'late'), false) from refunds
	where refunds.order_id = orders.id and ${isEffectiveRefund})`;

/** Work that waits for too long. Each query names the items and the start of their wait. */
const overdueChecks: (Omit<Check, "examine"> & {
	seen: string;
	query: (context: DoctorContext) => RawBuilder<OverdueItem>;
	sinceLabel: string;
})[] = [
	{
		name: "invoices",
		what: "Paid orders without an invoice",
		how: "every order paid for ten minutes has an invoice, alone or with all orders of its purchase, and every invoice issued ten minutes ago has a PDF",
		todo: "Find out why the job invoice-order fails: « a job failed » in the log.",
		seen: "all have an invoice",
		query: (context) => sql`select order_number as named, coalesce(issued_at, paid_at) as since from orders
			left join invoices on invoices.order_id = orders.id and invoices.refund_id is null
			where orders.id = orders.purchase_id and paid_at < ${minutesAgo(context, maxWaitMinutes)} and coalesce(issued_at, paid_at) < ${minutesAgo(context, maxWaitMinutes)}
				and erased_at is null and invoices.document_id is null order by since`,
		sinceLabel: "waiting since",
	},
	{
		name: "copies",
		what: "Orders without a current copy",
		how: "every order paid for ten minutes has a copy in the storage, and no copy has waited for ten minutes",
		todo: "Search for « some orders are not copied » in the log (docs/operations.md, CopiesBehind).",
		seen: "all are copied",
		query: (context) => sql`select order_number as named, min(since) as since from (
				select order_id, requested_at as since from order_copy_requests where requested_at < ${minutesAgo(context, maxWaitMinutes)}
				union all
				select bought.id, min(payments.created_at) from payments join orders bought on bought.purchase_id = payments.order_id
				where payments.created_at < ${minutesAgo(context, maxWaitMinutes)}
					and not exists (select from order_copies where order_copies.order_id = bought.id and key_id is not null)
				group by bought.id
			) uncopied join orders on orders.id = order_id
			where erased_at is null group by order_number order by since`,
		sinceLabel: "waiting since",
	},
	{
		name: "drafts",
		what: "Dropped extracts that nobody delivered",
		how: "no file that an operator dropped at the desk is older than two days",
		todo: "Find out why the purge fails: the log says it (job purge).",
		seen: "none is old",
		query: (context) => sql`select order_number as named, min(dropped_at) as since from extract_drafts
			join orders on orders.id = extract_drafts.order_id
			where dropped_at < ${minutesAgo(context, 2 * dayMinutes)} group by order_number order by since`,
		sinceLabel: "dropped",
	},
	{
		name: "promises",
		what: "Late orders",
		how: "no paid order is past its promise",
		todo: "Serve these first: they are at the top of « Commandes » at the desk.",
		seen: "none",
		query: (context) => sql`select order_number as named, promised_at as since from orders
			where status in (${literals(inProgressStatuses)}) and promised_at < ${context.now()} order by promised_at`,
		sinceLabel: "promised for",
	},
	{
		name: "letters",
		what: "Replacements to post",
		how: "every extract replaced a day ago was posted again, unless the order is disputed or fully refunded",
		todo: "Post the extract, then record its number at the desk, « Courrier ».",
		seen: "none",
		query: (context) => sql`select order_number as named, replaced.created_at as since from orders
			join order_events replaced on replaced.order_id = orders.id and replaced.event_type = 'extract_replaced' and replaced.payload @> '{"post": true}'
			where replaced.created_at < ${minutesAgo(context, dayMinutes)} and orders.erased_at is null
				and orders.disputed_at is null and not ${isFullyRefunded} and not exists (
				select from order_events later where later.order_id = orders.id and later.id > replaced.id
					and (later.event_type = 'posted' or later.event_type = 'extract_replaced' and later.payload @> '{"post": true}'))
			order by replaced.created_at`,
		sinceLabel: "replaced on",
	},
	{
		name: "mails",
		what: "Unsent e-mails",
		how: "no e-mail is unsent after ten minutes (twenty for a payment reminder)",
		todo: "Check whether the e-mail server answers (line « E-mail ») and whether jobs run.",
		seen: "none",
		query: (
			context,
		) => sql`select concat(order_number, ', ', kind) as named, mails.created_at as since from mails join orders on orders.id = mails.order_id
			where sent_at is null and bounced_at is null and mails.created_at < case kind when 'resume' then ${minutesAgo(context, 20)}::timestamptz else ${minutesAgo(context, maxWaitMinutes)}::timestamptz end
			union all
			select 'a message of the contact form', created_at from contact_messages where forwarded_at is null and created_at < ${minutesAgo(context, maxWaitMinutes)}
			order by since`,
		sinceLabel: "written on",
	},
	{
		name: "refunds",
		what: "Stalled refunds",
		how: "no refund waits for the provider for more than an hour; those above the brake may wait for a person",
		todo: "Look at the refund on the provider's pages; the log says why it does not leave (job carry-out-refund).",
		seen: "none",
		query: (context) => sql`select order_number as named, requested_at as since from refunds join orders on orders.id = refunds.order_id
			where refunds.status = 'requested' and orders.dispute_status is distinct from 'open' and requested_at < ${minutesAgo(context, 60)}
			and (held_until is null or released_by is not null or held_until < ${minutesAgo(context, 60)}) order by requested_at`,
		sinceLabel: "requested on",
	},
	{
		name: "failed-refunds",
		what: "Refused or returned refunds",
		how: "every refund refused by the provider or returned by the bank within thirty days was made again",
		todo: "Refund again at the desk, « Argent », or otherwise, for example by bank transfer. This reminder ends after thirty days.",
		seen: "none",
		query: (
			context,
		) => sql`select order_number as named, coalesce(settled_at, requested_at) as since from refunds join orders on orders.id = refunds.order_id
			where refunds.status in ('failed', 'refused') and orders.erased_at is null
				and coalesce(settled_at, requested_at) > ${minutesAgo(context, 30 * dayMinutes)}
				and not exists (select from refunds again where again.replaces = refunds.id)
				and not exists (select from refunds later where later.payment_id = refunds.payment_id and later.order_id = refunds.order_id
					and later.requested_at > refunds.requested_at and later.status in ('requested', 'pending', 'succeeded'))
			order by since`,
		sinceLabel: "recorded on",
	},
];

const waitChecks: Check[] = overdueChecks.map(({ seen, query, sinceLabel, ...check }) => ({
	...check,
	async examine(context) {
		const { rows } = await query(context).execute(context.db);
		return createResult(
			rows.length === 0 ? seen : String(rows.length),
			...rows.map(({ named, since }) => `${named}: ${sinceLabel} ${formatStamp(since)}.`),
		);
	},
}));

export const orderChecks: Check[] = [eventsCheck, ...waitChecks];

interface Purchase {
	order_number: string;
	lines: number;
	isComplete: boolean;
	isOfOneCustomer: boolean;
	isPaidTogether: boolean;
	isErasedTogether: boolean;
	isDisputedTogether: boolean;
	isPaidExactly: boolean;
}

const problemLabels: [agrees: keyof Purchase, problem: string][] = [
	["isComplete", "a line is missing"],
	["isOfOneCustomer", "its orders have different customers"],
	["isPaidTogether", "its orders were not paid together"],
	["isErasedTogether", "only some of its orders are erased"],
	["isDisputedTogether", "only some of its orders are disputed"],
	["isPaidExactly", "its payment differs from its prices"],
];

/** Checks of purchases with several orders. */
export const purchaseChecks: Check[] = [
	{
		name: "purchases",
		what: "Purchases of several orders",
		how: "their orders have one customer, were paid together and by what they cost together, and are erased or disputed together",
		todo: "Compare the lines at the desk, « Argent » of the order. After a partial restore: npm run orders -- recreate.",
		async examine({ db }) {
			const { rows } = await sql<Purchase>`
				select first.order_number, lines, "isComplete", "isOfOneCustomer", "isPaidTogether", "isErasedTogether", "isDisputedTogether",
					paid = 0 or total = (
						select sum(amount_cents) from payments where payments.order_id = purchases.purchase_id and payments.role = 'order') is true as "isPaidExactly"
				from (
					select purchase_id, count(*)::integer as lines, sum(price_cents) as total, count(paid_at) as paid,
						max(purchase_line) = count(*) as "isComplete",
						count(distinct lower(trim(customer_email))) = 1 as "isOfOneCustomer",
						count(distinct coalesce(paid_at, '-infinity')) = 1 as "isPaidTogether",
						count(distinct coalesce(erased_at, '-infinity')) = 1 as "isErasedTogether",
						count(distinct coalesce(dispute_status, '')) = 1 as "isDisputedTogether"
					from orders where purchase_id in (select purchase_id from orders where purchase_line > 1) group by purchase_id
				) purchases join orders first on first.id = purchases.purchase_id order by first.created_at, first.id`.execute(db);
			const problems = rows.flatMap((purchase) =>
				problemLabels.filter(([agrees]) => !purchase[agrees]).map(([, problem]) => `${purchase.order_number}: ${problem}.`),
			);
			return createResult(formatCount(rows.length, "purchase"), ...problems);
		},
	},
];
