import { type RawBuilder, sql } from "kysely";
import { literals } from "../../server/database/database.ts";
import { formatStamp } from "../catalogue/instants.ts";
import { inProgressStatuses } from "../orders/lifecycle.ts";
import { type Check, type Examined, found } from "./check.ts";

const minutes = (of: Examined, many: number) => new Date(of.now().getTime() - many * 60_000);
const day = 1440;

interface Late {
	named: string;
	since: Date;
}

/** Refunded in full for another reason than being late: nothing is put right in such an order (whyNotCorrected). */
const ended = sql`(select coalesce(sum(amount_cents) >= price_cents and bool_and(reason <> 'late'), false) from refunds
	where refunds.order_id = orders.id and refunds.status not in ('failed', 'refused'))`;

/** What waits for too long: each query names it, and says since when. */
const waiting: (Omit<Check, "examine"> & { seen: string; query: (of: Examined) => RawBuilder<Late>; told: string })[] = [
	{
		name: "invoices",
		what: "Commandes payées sans facture",
		how: "payées depuis plus de dix minutes, et sans facture ou sans son PDF",
		todo: "Cherchez pourquoi la tâche invoice-order échoue\u00a0: «\u00a0a job failed\u00a0» dans le journal.",
		seen: "toutes ont leur facture",
		query: (of) => sql`select order_number as named, paid_at as since from orders
			left join invoices on invoices.order_id = orders.id and invoices.kind = 'invoice'
			where paid_at < ${minutes(of, 10)} and erased_at is null and invoices.document_id is null order by paid_at`,
		told: "payée le",
	},
	{
		name: "copies",
		what: "Commandes sans copie à jour",
		how: "payées depuis plus de dix minutes et sans copie dans le stockage, ou dont la copie attend depuis plus de dix minutes",
		todo: "Cherchez « some orders are not copied » dans le journal (docs/operations.md, CopiesBehind).",
		seen: "toutes sont copiées",
		query: (of) => sql`select order_number as named, min(since) as since from (
				select order_id, requested_at as since from order_copy_requests where requested_at < ${minutes(of, 10)}
				union all
				select order_id, min(created_at) from payments where created_at < ${minutes(of, 10)}
					and not exists (select from order_copies where order_copies.order_id = payments.order_id and key_id is not null)
				group by order_id
			) uncopied join orders on orders.id = order_id
			where erased_at is null group by order_number order by since`,
		told: "en attente depuis le",
	},
	{
		name: "promises",
		what: "Commandes en retard",
		how: "payées, ni livrées ni postées, et l’heure promise est passée",
		todo: "Servez-les d’abord\u00a0: npm run orders -- list --late.",
		seen: "aucune",
		query: (of) => sql`select order_number as named, promised_at as since from orders
			where status in (${literals(inProgressStatuses)}) and promised_at < ${of.now()} order by promised_at`,
		told: "promise pour le",
	},
	{
		name: "letters",
		what: "Courriers à poster de nouveau",
		how: "extrait remplacé depuis plus d’un jour, et aucun courrier noté depuis\u00a0; ni contestée, ni remboursée en entier",
		todo: "Postez l’extrait, puis notez son numéro\u00a0: npm run orders -- post.",
		seen: "aucun",
		query: (of) => sql`select order_number as named, replaced.created_at as since from orders
			join order_events replaced on replaced.order_id = orders.id and replaced.event_type = 'extract_replaced' and replaced.payload @> '{"post": true}'
			where replaced.created_at < ${minutes(of, day)} and orders.erased_at is null
				and orders.disputed_at is null and not ${ended} and not exists (
				select from order_events later where later.order_id = orders.id and later.id > replaced.id
					and (later.event_type = 'posted' or later.event_type = 'extract_replaced' and later.payload @> '{"post": true}'))
			order by replaced.created_at`,
		told: "remplacé le",
	},
	{
		name: "mails",
		what: "E-mails en attente",
		how: "écrits depuis plus de dix minutes (vingt pour un rappel de paiement), ni partis ni refusés",
		todo: "Voyez si le serveur d’e-mails répond (ligne «\u00a0E-mails\u00a0») et si des tâches tournent.",
		seen: "aucun",
		query: (
			of,
		) => sql`select concat(order_number, ', ', kind) as named, mails.created_at as since from mails join orders on orders.id = mails.order_id
			where sent_at is null and bounced_at is null and mails.created_at < case kind when 'resume' then ${minutes(of, 20)}::timestamptz else ${minutes(of, 10)}::timestamptz end
			union all
			select 'un message du formulaire de contact', created_at from contact_messages where forwarded_at is null and created_at < ${minutes(of, 10)}
			order by since`,
		told: "écrit le",
	},
	{
		name: "refunds",
		what: "Remboursements qui n’avancent pas",
		how: "demandés depuis plus d’une heure, sans réponse du prestataire",
		todo: "Regardez ce remboursement chez le prestataire, puis\u00a0: npm run orders -- settle.",
		seen: "aucun",
		query: (of) => sql`select order_number as named, requested_at as since from refunds join orders on orders.id = refunds.order_id
			where refunds.status = 'requested' and orders.dispute_status is distinct from 'open' and requested_at < ${minutes(of, 60)} order by requested_at`,
		told: "demandé le",
	},
	{
		name: "failed-refunds",
		what: "Remboursements refusés ou revenus",
		how: "refusés par le prestataire ou rendus par la banque depuis moins de trente jours, et pas refaits",
		todo: "Remboursez de nouveau (npm run orders -- refund), ou autrement, par virement par exemple\u00a0: ce rappel cesse au bout de trente jours.",
		seen: "aucun",
		query: (
			of,
		) => sql`select order_number as named, coalesce(settled_at, requested_at) as since from refunds join orders on orders.id = refunds.order_id
			where refunds.status in ('failed', 'refused') and orders.erased_at is null
				and coalesce(settled_at, requested_at) > ${minutes(of, 30 * day)}
				and not exists (select from refunds again where again.replaces = refunds.id)
				and not exists (select from refunds later where later.payment_id = refunds.payment_id
					and later.requested_at > refunds.requested_at and later.status in ('requested', 'pending', 'succeeded'))
			order by since`,
		told: "constaté le",
	},
];

export const orderChecks: Check[] = waiting.map(({ seen, query, told, ...row }) => ({
	...row,
	async examine(of) {
		const { rows } = await query(of).execute(of.db);
		return found(
			rows.length === 0 ? seen : String(rows.length),
			...rows.map(({ named, since }) => `${named}\u00a0: ${told} ${formatStamp(since)}.`),
		);
	},
}));
