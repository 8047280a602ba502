import { useState } from "react";
import { data, href, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Notice, Status, type StatusKind } from "../../ui/notice.tsx";
import type { ActOutcome } from "../acts/act.ts";
import { ActForm, keepUnsentAct, UndoForm, useNow } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { PurchaseLines } from "../purchase/purchase-lines.tsx";
import { PurchasePlace } from "../purchase/purchase-place.tsx";
import { TimeLeft, useClock } from "../queue/time-left.tsx";
import { getActor } from "../shell/signed-in.server.ts";
import { submitForm, useKeys } from "../shell/use-keys.ts";
import type { Route } from "./+types/order-page";
import { CompanyFacts, CompanyHead } from "./company-panel.tsx";
import { CustomerPanel } from "./customer-panel.tsx";
import { DraftPanel, deliverForm, isDeliveryRequested, OtherDrafts, Preview } from "./draft-panel.tsx";
import { DropZone } from "./drop-zone.tsx";
import { findOrderOfPage } from "./find-order.server.ts";
import { MoreActions } from "./more-actions.tsx";
import { OrderFiles } from "./order-files.tsx";
import { OrderMessages } from "./order-messages.tsx";
import { NoteForm, OrderTimeline } from "./order-timeline.tsx";
import { type OrderView, readOrder } from "./read-order.server.ts";
import { receiveFile } from "./receive-file.server.ts";
import { recordLook } from "./record-look.server.ts";
import { type DropAnswer, keepUnsentFile } from "./upload-answer.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `${params.number} – bureau` }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
	const [shop, actor] = [context.get(shopContext), getActor(context)];
	const order = await findOrderOfPage(shop, params.number);
	await recordLook(shop, actor, "look-at-order", order.order_number);
	const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
	return data({ order: await readOrder(shop, actor, order), page: Number.isInteger(page) && page > 0 ? page : 1 });
}

/** The form of an act, or a file that a script sends: the address for files needs another script, which may be missing offline. */
export async function action(args: Route.ActionArgs): Promise<ActOutcome | DropAnswer> {
	const { request, context, params } = args;
	if (!isUpload(request)) return answerActForm(args);
	const shop = context.get(shopContext);
	return receiveFile(shop, getActor(context), await findOrderOfPage(shop, params.number), request);
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
	isUpload(request) ? keepUnsentFile(serverAction) : keepUnsentAct({ request, serverAction });

const isUpload = ({ headers }: Request) => headers.get("content-type")?.startsWith("multipart/form-data") === true;

export default function OrderRoute({ loaderData }: Route.ComponentProps) {
	return <OrderPage key={loaderData.order.id} {...loaderData} />;
}

const statusKinds: Record<OrderView["status"], StatusKind> = {
	pending: "waiting",
	paid: "paid",
	processing: "processing",
	completed: "done",
	failed: "failed",
};

/** The id of the form of « Suivante ». */
const nextForm = "suivante";

/** The id of the form of « Prendre ». */
const claimForm = "prendre";

/** The id of the form of « Demandé au greffe ». */
const requestForm = "demande";

/** One order: what to obtain, the file dropped for it, and everything that happened. */
function OrderPage({ order, page }: { order: OrderView; page: number }) {
	const { draft, may } = order;
	useKeys({ d: submitForm(deliverForm), t: submitForm(requestForm), n: submitForm(nextForm), p: submitForm(claimForm) });
	const [moved, setMoved] = useState<string>();
	const takesFile = may.deliver || may.replace;
	const draftState = draft === null ? "none" : isDeliveryRequested(order) ? "requested" : "dropped";
	return (
		<div className="mx-auto max-w-page">
			<OrderHead order={order} />
			<Holder order={order} />
			<OpenActs order={order} />
			{order.state && (
				<Notice kind="waiting" className="mt-5">
					<p>{order.state}</p>
				</Notice>
			)}
			<div className={`mt-6 gap-x-10 gap-y-8 ${draft ? "grid xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]" : "grid lg:grid-cols-2"}`}>
				<div className="min-w-0 space-y-6">
					<CompanyHead company={order.company} open={order.open} />
					{moved && !draft && (
						<Notice kind="done" live>
							<p>{moved}</p>
						</Notice>
					)}
					{draft && <DraftPanel order={order} draft={draft} onMoved={setMoved} />}
					{takesFile && (
						<DropZone number={order.number} draft={draftState} replaces={may.replace} photos={order.posted} demo={order.demo} />
					)}
					<OtherDrafts drafts={order.otherDrafts} />
					<RegistryRequest order={order} />
					<CompanyFacts company={order.company} />
				</div>
				{draft ? <Preview draft={draft} page={page} /> : <OrderSide order={order} className="space-y-8" />}
			</div>
			{draft && (
				<div className="mt-10">
					<OrderSide order={order} className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-2" />
				</div>
			)}
			<section aria-labelledby="historique" className="mt-10 border-t border-line pt-6">
				<h2 id="historique" className="text-xl">
					Historique
				</h2>
				<NoteForm order={order.id} />
				<OrderTimeline number={order.number} lines={order.timeline} />
			</section>
		</div>
	);
}

/** Customer, documents, the menu of actions, and other orders. */
function OrderSide({ order, className }: { order: OrderView; className: string }) {
	return (
		<div className={`min-w-0 ${className}`}>
			<CustomerPanel customer={order.customer} facts={order.facts} />
			<OrderFiles order={order} />
			<OrderMessages conversations={order.conversations} />
			<MoreActions order={order} />
			{order.purchase && <PurchaseLines purchase={order.purchase} />}
			{order.otherOrders.length > 0 && (
				<section aria-labelledby="autres">
					<h2 id="autres" className="text-lg">
						Autres commandes
					</h2>
					<ul className="mt-2 divide-y divide-line border-y border-line text-sm">
						{order.otherOrders.map(({ id, number, text, sameCustomer }) => (
							<li key={id} className="py-2">
								<Link className="link figures" to={href("/bureau/commandes/:number", { number })}>
									{number}
								</Link>{" "}
								{text} <span className="text-soft">({sameCustomer ? "même client" : "même entreprise"})</span>
							</li>
						))}
					</ul>
				</section>
			)}
		</div>
	);
}

function OrderHead({ order }: { order: OrderView }) {
	const now = useClock(order.now);
	return (
		<div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
			<div className="min-w-0">
				<p className="text-sm text-soft">
					<Link className="link" to={href("/bureau/commandes")}>
						Commandes
					</Link>
				</p>
				<h1 className="figures text-2xl">{order.number}</h1>
				{order.purchase && <PurchasePlace purchase={order.purchase} number={order.number} />}
				{order.reference && <p className="break-words">Référence du client&nbsp;: {order.reference}</p>}
				<p className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1">
					<Status kind={statusKinds[order.status]}>{order.statusLabel}</Status>
					<span>
						{order.service}, {order.price}
					</span>
					{order.open && order.promise && (
						<span className="inline-flex flex-wrap gap-x-2">
							<TimeLeft dueAt={new Date(order.promise.at)} now={now} />
							<span className="text-soft">(promise pour {order.promise.text})</span>
						</span>
					)}
					{order.kept && (
						<span className="text-soft">
							{order.posted ? "Postée" : "Livrée"} {order.kept}
						</span>
					)}
				</p>
			</div>
			<ActForm act="claim-next" order={null} id={nextForm} action={href("/bureau/commandes")}>
				<input type="hidden" name="from" value={order.id} />
				<button type="submit" className={button("secondary")} aria-keyshortcuts="n">
					Prendre la suivante <kbd className="font-sans text-xs font-normal max-md:hidden">n</kbd>
				</button>
			</ActForm>
		</div>
	);
}

/** Who works on the order. */
function Holder({ order: { id, holder, may, draft } }: { order: OrderView }) {
	if (holder === null) {
		if (!may.claim) return null;
		return (
			<Notice kind="info" className="mt-5">
				<p>Personne ne s’occupe de cette commande.</p>
				<ActForm act="claim" order={id} id={claimForm} className="mt-2">
					<button type="submit" className={button(draft ? "secondary" : "primary")} aria-keyshortcuts="p">
						Prendre cette commande <kbd className="font-sans text-xs font-normal max-md:hidden">p</kbd>
					</button>
				</ActForm>
			</Notice>
		);
	}
	if (holder.isMe)
		return (
			<div className="mt-3 flex flex-wrap items-center gap-x-4 text-sm text-soft">
				<p>Cette commande est à vous jusqu’à {holder.until}.</p>
				<ActForm act="release" order={id}>
					<button type="submit" className={button("quiet")}>
						La rendre
					</button>
				</ActForm>
			</div>
		);
	return (
		<Notice kind="warning" className="mt-5">
			<p>
				{holder.name} s’occupe de cette commande jusqu’à {holder.until}.
			</p>
			<ActForm act="take-over" order={id}>
				<button type="submit" className={button("secondary")}>
					La prendre à sa place
				</button>
			</ActForm>
		</Notice>
	);
}

/** Whether the registry was asked for the extract: its customer reads it. */
function RegistryRequest({ order: { id, open, requested, may } }: { order: OrderView }) {
	if (!may.recordRequest) return open && requested ? <p className="text-sm">Demandé au greffe&nbsp;: {requested}.</p> : null;
	return (
		<ActForm act="record-request" order={id} id={requestForm}>
			<button type="submit" className={button("secondary")} aria-keyshortcuts="t">
				Demandé au greffe <kbd className="font-sans text-xs font-normal max-md:hidden">t</kbd>
			</button>
			<p className="mt-1 text-sm text-soft">
				À noter une fois l’extrait demandé&nbsp;: le client lit alors «&nbsp;Demande transmise au greffe&nbsp;».
			</p>
		</ActForm>
	);
}

/** What was asked for and has not begun: it can still be undone, and stays in view. What was refused when it began. */
function OpenActs({ order }: { order: OrderView }) {
	const now = useNow();
	if (order.openActs.length === 0) return null;
	return (
		<div className="sticky top-0 z-10 -mx-4 mt-3 border-b border-line bg-paper px-4 py-2 sm:-mx-6 sm:px-6">
			{order.openActs.map((act) => (
				<OpenAct key={act.key} act={act} now={now} />
			))}
		</div>
	);
}

function OpenAct({ act, now }: { act: OrderView["openActs"][number]; now: number | null }) {
	const { key, label, dueAt, who, waitsForApproval, refusal } = act;
	return (
		<Notice kind={refusal ? "failed" : "waiting"} live>
			{refusal ? (
				<p>
					«&nbsp;{label}&nbsp;», demandé par {who}, n’a pas été fait. {refusal}
				</p>
			) : dueAt && !waitsForApproval ? (
				<UndoForm actKey={key} dueAt={dueAt} now={now} text={`«\u00a0${label}\u00a0», demandé par ${who}.`} />
			) : (
				<p>
					«&nbsp;{label}&nbsp;», demandé par {who}
					{waitsForApproval ? ", attend l’accord d’une deuxième personne." : ", est en cours."}
				</p>
			)}
		</Notice>
	);
}
