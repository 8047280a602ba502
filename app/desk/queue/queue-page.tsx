import { href, Link, redirect } from "react-router";
import { typedKeys } from "../../../server/types/objects.ts";
import { formatDayAndHour, formatShortInstant } from "../../catalogue/instants.ts";
import { getShortName } from "../../catalogue/services.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { ActForm } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { ListedOrder } from "../order/listed-order.tsx";
import { getSignedIn } from "../shell/signed-in.server.ts";
import { submitForm, useKeys, useRowKeys } from "../shell/use-keys.ts";
import type { Route } from "./+types/queue-page";
import { queueLists, waitingLabels } from "./queue-lists.ts";
import { type QueueData, type QueueRow, readQueue } from "./read-queue.server.ts";
import { TimeLeft, useClock } from "./time-left.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Commandes – bureau" }];

export function loader({ request, context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	return readQueue(context.get(shopContext), operator.id, new URL(request.url).searchParams);
}

export async function action(args: Route.ActionArgs) {
	const outcome = await answerActForm(args);
	if (outcome.act !== "claim-next" || outcome.state !== "done") return outcome;
	// the sentence names the order, also when the same form comes again
	const number = /KB-[\w-]+/.exec(outcome.text)?.[0];
	if (!number) return outcome;
	const page = href("/bureau/commandes/:number", { number });
	// a script opens it by itself: see ActForm
	return args.request.headers.get("sec-fetch-dest") === "empty" ? { ...outcome, page } : redirect(page);
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";

export default function QueueRoute({ loaderData }: Route.ComponentProps) {
	return <QueuePage {...loaderData} />;
}

/** The id of the form of « Prendre la suivante ». */
const nextForm = "suivante";

/** The first page of the desk: what waits, the most pressing first. */
function QueuePage(queue: QueueData) {
	const now = useClock(queue.now);
	useKeys({ n: submitForm(nextForm) });
	return (
		<div className="mx-auto max-w-page">
			<div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
				<h1 className="text-2xl">Commandes</h1>
				<div>
					<ActForm act="claim-next" order={null} id={nextForm}>
						{({ busy }) => (
							<>
								<input type="hidden" name="list" value={queue.list} />
								<button type="submit" className={button("primary")} aria-disabled={busy} aria-keyshortcuts="n">
									Prendre la suivante
									<kbd className="font-sans text-xs font-normal max-md:hidden">n</kbd>
								</button>
							</>
						)}
					</ActForm>
				</div>
			</div>
			<Counters counts={queue.counts} />
			{queue.pace && <p className="mt-2 text-sm text-soft">{setFrenchSpaces(queue.pace)}</p>}
			<Holders holders={queue.holders} />
			<Tabs list={queue.list} counts={queue.counts} />
			{queue.rows.length === 0 ? <Nothing queue={queue} /> : <QueueRows rows={queue.rows} now={now} />}
			{(queue.next || !queue.isFirstPage) && (
				<nav aria-label="Pages" className="mt-4 flex gap-6">
					{!queue.isFirstPage && (
						<Link to={toUrl(queue.list)} className={button("quiet")}>
							Revenir au début
						</Link>
					)}
					{queue.next && (
						<Link to={toUrl(queue.list, queue.next)} className={button("secondary")}>
							Commandes suivantes
						</Link>
					)}
				</nav>
			)}
		</div>
	);
}

const toUrl = (list: QueueData["list"], after?: string) => {
	const params = new URLSearchParams({ ...(list !== "a-servir" && { liste: list }), ...(after && { apres: after }) }).toString();
	return params === "" ? href("/bureau/commandes") : `${href("/bureau/commandes")}?${params}`;
};

/** What waits, what is late, and what is promised by each hour of today. */
function Counters({ counts }: Pick<QueueData, "counts">) {
	const figures = [
		{ label: "à servir", count: counts.toServe, className: "" },
		{ label: "en retard", count: counts.late, className: counts.late > 0 ? "text-failed" : "" },
		...counts.by.map(({ label, count }) => ({ label: `${count > 1 ? "promises" : "promise"} ${label}`, count, className: "" })),
	];
	return (
		<dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2">
			{figures.map(({ label, count, className }) => (
				<div key={label} className={`flex flex-row-reverse items-baseline gap-2 ${className}`}>
					<dt className="text-sm">{label}</dt>
					<dd className="figures text-xl font-semibold">{count}</dd>
				</div>
			))}
		</dl>
	);
}

/** Who has which orders. */
function Holders({ holders }: Pick<QueueData, "holders">) {
	if (holders.length === 0) return null;
	return (
		<ul aria-label="Qui s’occupe de quoi" className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm text-soft">
			{holders.map(({ name, isMe, numbers }) => (
				<li key={`${name} ${numbers[0]}`}>
					<span className="font-semibold text-ink">{isMe ? "Vous" : name}</span>
					{"\u00a0: "}
					{numbers.map((number, index) => (
						<span key={number}>
							{index > 0 && ", "}
							<Link to={href("/bureau/commandes/:number", { number })} className="link whitespace-nowrap">
								{number}
							</Link>
						</span>
					))}
				</li>
			))}
		</ul>
	);
}

function Tabs({ list, counts }: Pick<QueueData, "list" | "counts">) {
	const totals: Record<QueueData["list"], number> = {
		"a-servir": counts.toServe,
		express: counts.express,
		standard: counts.standard,
		courrier: counts.postal,
		"a-poster": counts.toPost,
		"en-attente": counts.waiting,
	};
	return (
		<nav aria-label="Listes" className="mt-5 flex flex-wrap gap-x-1 border-b border-line">
			{typedKeys(queueLists).map((key) => (
				<Link
					key={key}
					to={toUrl(key)}
					aria-current={key === list ? "page" : undefined}
					className="inline-flex min-h-11 items-center gap-1.5 border-b-2 border-transparent px-3 text-sm aria-[current=page]:border-accent aria-[current=page]:font-semibold"
				>
					{queueLists[key].label}
					<span className="figures text-soft">{totals[key]}</span>
				</Link>
			))}
		</nav>
	);
}

function Nothing({ queue }: { queue: QueueData }) {
	if (!queue.isFirstPage) return <p className="py-10 text-soft">Il n’y a plus rien après ces commandes.</p>;
	const sentences: Partial<Record<QueueData["list"], string>> = {
		"a-poster": "Rien à poster.",
		"en-attente": "Rien n’attend votre décision.",
	};
	return (
		<p className="py-10 text-soft">
			{sentences[queue.list] ?? "Rien à servir. Les nouvelles commandes s’affichent ici dès leur paiement."}
		</p>
	);
}

/** The rows of a list: lines on a wide screen, cards on a narrow one. */
function QueueRows({ rows, now }: { rows: readonly QueueRow[]; now: Date }) {
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
						<ListedOrder row={row} path={href("/bureau/commandes/:number", { number: row.number })}>
							{row.requested && <span className="font-semibold text-ink">Demandé au greffe&nbsp;: {row.requested}</span>}
							{row.reason && <span className="font-semibold text-ink">{waitingLabels[row.reason]}</span>}
						</ListedOrder>
					</div>
					<div className="text-sm max-md:text-right">{getShortName(row.service)}</div>
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
