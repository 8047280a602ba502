import { type RawBuilder, sql } from "kysely";
import { Temporal } from "temporal-polyfill";
import { zone } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { retention } from "../catalogue/retention.ts";
import { type Check, count, type Examined, found } from "./check.ts";

const series = { invoice: "Factures", credit_note: "Avoirs" } as const;
type Kind = keyof typeof series;
const euros = (amount: number) => formatEuros(cents(amount));

/** Milliseconds that a credit note may take after its refund. */
const creditedWithin = 3_600_000;

/** Older years may have gaps: what the law asks for no more is deleted. */
const firstKept = ({ now }: Pick<Examined, "now">) =>
	Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(zone).year - retention.invoices.years;

export const bookChecks: Check[] = [
	{
		name: "invoice-numbers",
		what: "Numéros des factures et des avoirs",
		how: "chaque série d’une année, du premier numéro au dernier pris, sans trou que personne n’a expliqué",
		todo: "Après une restauration, recréez les commandes perdues (orders recreate --all). Sinon, cherchez ce numéro dans les e-mails envoyés et dans la sauvegarde\u00a0: une série sans trou est exigée (CGI, art. 289). Notez le motif d’un écart qui reste (orders move-invoices).",
		async examine(of) {
			const { db } = of;
			const { rows: gaps } = await sql<{ kind: Kind; year: number; from: number; to: number }>`
				with explained as (
					select kind, year, number_in_year from invoices union all select kind, year, number_in_year from invoice_gaps
				), taken as (
					select kind, year, number_in_year as number, lag(number_in_year, 1, 0) over (partition by kind, year order by number_in_year) as before
					from explained
					union all
					select invoice_series.kind, invoice_series.year, last_number + 1, coalesce(max(number_in_year), 0)
					from invoice_series left join explained using (kind, year) group by 1, 2, 3
				)
				select kind, year, before + 1 as from, number - 1 as to from taken
				where number > before + 1 and year >= ${firstKept(of)} order by kind, year, number`.execute(db);
			const { rows: beyond } = await sql<{ kind: Kind; year: number; last: number }>`
				select kind, year, max(number_in_year) as last from invoices left join invoice_series using (kind, year)
				where year >= ${firstKept(of)} group by kind, year having max(number_in_year) > coalesce(max(last_number), 0)`.execute(db);
			return found(
				await countInvoices(of),
				...gaps.map(
					({ kind, year, from, to }) =>
						`${series[kind]} ${year}\u00a0: ${from === to ? `le numéro ${from} manque` : `les numéros ${from} à ${to} manquent`}.`,
				),
				...beyond.map(({ kind, year, last }) => `${series[kind]} ${year}\u00a0: le numéro ${last} serait donné une seconde fois.`),
			);
		},
	},
	{
		name: "invoice-dates",
		what: "Dates des factures et des avoirs",
		how: "aucune n’est antérieure à celle du numéro précédent",
		todo: "Ne changez pas la facture\u00a0: notez l’anomalie pour le comptable, et vérifiez l’heure des machines.",
		async examine(of) {
			const numbers = await list(
				of,
				sql`select number as line from (
					select number, year, issued_at, lag(issued_at) over (partition by kind, year order by number_in_year) as before from invoices
				) dated where issued_at < before and year >= ${firstKept(of)} order by number`,
			);
			return found(await countInvoices(of), ...numbers.map((number) => `${number} porte une date antérieure à celle du numéro précédent.`));
		},
	},
	{
		name: "invoice-amounts",
		what: "Montants des factures",
		how: "facture, prix de la commande et paiement sont égaux",
		todo: "Comparez avec les pages du prestataire de paiement\u00a0: npm run orders -- show, puis reconcile.",
		async examine(of) {
			const { rows } = await sql<{ number: string; order_number: string; total: number; price: number; paid: number | null }>`
				select number, order_number, total_cents as total, price_cents as price, amount_cents as paid
				from invoices join orders on orders.id = invoices.order_id
				left join payments on payments.order_id = orders.id and payments.role = 'order'
				where kind = 'invoice' and (total_cents <> price_cents or amount_cents is distinct from total_cents) order by number`.execute(
				of.db,
			);
			return found(
				await countInvoices(of),
				...rows.map(
					({ number, order_number, total, price, paid }) =>
						`${number} (${order_number})\u00a0: facture ${euros(total)}, prix ${euros(price)}, ${paid === null ? "aucun paiement" : `payé ${euros(paid)}`}.`,
				),
			);
		},
	},
	{
		name: "credit-notes",
		what: "Montants des avoirs",
		how: "les avoirs d’une commande égalent ce qui lui a été rendu, et jamais plus que sa facture",
		todo: "Comparez avec les pages du prestataire\u00a0: npm run orders -- show\u00a0; un avoir manquant est fait par les tâches, un remboursement revenu se redemande avec refund.",
		async examine(of) {
			const before = new Date(of.now().getTime() - creditedWithin);
			const { rows } = await sql<{ order_number: string; noted: number; returned: number; billed: number }>`
				select * from (
					select order_number, price_cents,
						(select coalesce(sum(total_cents), 0)::integer from invoices where order_id = orders.id and kind = 'credit_note') as noted,
						(select coalesce(sum(total_cents), 0)::integer from invoices where order_id = orders.id and kind = 'invoice') as billed,
						(select coalesce(sum(refunds.amount_cents), 0)::integer from refunds join payments on payments.id = refunds.payment_id and payments.role = 'order'
							where refunds.order_id = orders.id and refunds.status = 'succeeded') as returned
					from orders where exists (select from refunds where refunds.order_id = orders.id)
						and not exists (select from refunds where refunds.order_id = orders.id
							and (refunds.settled_at >= ${before} or refunds.status in ('requested', 'pending')))
				) sums where noted <> returned or noted > billed order by order_number`.execute(of.db);
			return found(
				await countInvoices(of),
				...rows.map(
					({ order_number, noted, returned, billed }) =>
						`${order_number}\u00a0: avoirs ${euros(noted)}, rendu ${euros(returned)}, facture ${euros(billed)}.`,
				),
			);
		},
	},
];

async function list({ db }: Pick<Examined, "db">, query: RawBuilder<{ line: string }>): Promise<string[]> {
	return (await query.execute(db)).rows.map(({ line }) => line);
}

async function countInvoices({ db }: Pick<Examined, "db">): Promise<string> {
	const { rows } = await sql<{ invoices: number; notes: number }>`
		select count(*) filter (where kind = 'invoice')::integer as invoices, count(*) filter (where kind = 'credit_note')::integer as notes from invoices`.execute(
		db,
	);
	return `${count(rows[0]?.invoices ?? 0, "facture")}, ${count(rows[0]?.notes ?? 0, "avoir")}`;
}
