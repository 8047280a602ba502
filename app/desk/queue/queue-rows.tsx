import { href, Link } from "react-router";
import { formatDayAndHour, formatShortInstant } from "../../catalogue/instants.ts";
import { services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { Siren } from "../../ui/siren.tsx";
import { ActForm } from "../acts/act-form.tsx";
import { useRowKeys } from "../shell/use-keys.ts";
import { waitingLabels } from "./queue-lists.ts";
import type { QueueRow } from "./read-queue.server.ts";
import { TimeLeft } from "./time-left.tsx";

/** The rows of a list: lines on a wide screen, cards on a narrow one. */
export function QueueRows({ rows, now }: { rows: readonly QueueRow[]; now: Date }) {
	const list = useRowKeys();
	return (
		<ul ref={list} className="divide-y divide-line border-b border-line">
			{rows.map((row) => (
				<li
					key={`${row.id} ${row.reason}`}
					className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1 py-2 focus-within:bg-shade hover:bg-shade md:grid-cols-[10rem_minmax(0,1fr)_7rem_15rem] md:px-2"
				>
					{row.dueAt ? <Due dueAt={new Date(row.dueAt)} now={now} /> : <Waiting row={row} />}
					<div className="min-w-0 max-md:order-last">
						<Link data-row to={href("/bureau/commandes/:number", { number: row.number })} className="font-semibold hover:underline">
							{row.company}
						</Link>
						<p className="flex flex-wrap gap-x-4 text-sm text-soft">
							<Siren value={row.siren} />
							<span className="figures">{row.number}</span>
							{row.reference && <span className="min-w-0 break-words">{row.reference}</span>}
							{row.purchase && <span>{row.purchase}</span>}
							{row.requested && <span className="font-semibold text-ink">Demandé au greffe&nbsp;: {row.requested}</span>}
							{row.reason && <span className="font-semibold text-ink">{waitingLabels[row.reason]}</span>}
						</p>
					</div>
					<div className="text-sm max-md:text-right">{services[row.service].name.replace("KBIS ", "")}</div>
					<Holding row={row} />
				</li>
			))}
		</ul>
	);
}

/** The time left, and the promised hour. */
function Due({ dueAt, now }: { dueAt: Date; now: Date }) {
	return (
		<div className="max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3">
			<TimeLeft dueAt={dueAt} now={now} />
			<p className="figures text-sm text-soft">{formatShortInstant(dueAt)}</p>
		</div>
	);
}

function Waiting({ row }: { row: QueueRow }) {
	if (row.since === null) return null;
	return (
		<time dateTime={row.since} className="figures text-sm text-soft">
			depuis {formatDayAndHour(new Date(row.since))}
		</time>
	);
}

/** Who has the order, and the button to take it or to give it back. */
function Holding({ row: { id, number, holder } }: { row: QueueRow }) {
	const { act, label } =
		holder === null
			? { act: "claim", label: "Prendre" }
			: holder.isMe
				? { act: "release", label: "Rendre" }
				: { act: "take-over", label: "Prendre à sa place" };
	return (
		<div className="flex flex-wrap items-center justify-end gap-x-3 text-right max-md:order-last max-md:max-w-32">
			{holder && <span className="text-sm">{holder.isMe ? <strong>À vous</strong> : holder.name}</span>}
			<ActForm key={act} act={act} order={id}>
				<button type="submit" className={button("quiet", "text-sm")}>
					{label}
					<span className="sr-only"> la commande {number}</span>
				</button>
			</ActForm>
		</div>
	);
}
