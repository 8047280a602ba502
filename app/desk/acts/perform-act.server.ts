import { day } from "../../../server/durations.ts";
import { inContext } from "../../../server/observability/request-context.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, lockOrder } from "../../orders/orders.store.server.ts";
import type { Shop } from "../../shop.ts";
import {
	approveAct,
	endAct,
	findAct,
	findPendingAct,
	insertAct,
	markSeen,
	type RequestedAct,
	startAct,
	undoAct,
} from "../log/acts.store.server.ts";
import { recordRefusedAct, runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import { findOperator, hasNewAccess } from "../operators/operators.store.server.ts";
import { type Actor, roleLabels } from "../operators/roles.ts";
import { findOtherHolder } from "../order/find-other-holder.server.ts";
import { type Act, type ActOutcome, type ActRefusal, type ActResult, type AnyCall, refuse } from "./act.ts";
import { findActByName, labelAct } from "./act-table.server.ts";
import { type Fields, readFields } from "./fields.ts";

/** Milliseconds in which an act can be undone. */
const undoTime = 30_000;

/** Milliseconds that a delivery needs before its promise: the job, the document and its e-mail. */
const deliveryTime = 45_000;

/** Milliseconds after which a started act counts as crashed, and the same form runs it again. */
const crashTime = 60_000;

/**
 * Milliseconds after an invitation, or after a role was given, in which nobody is a second person: who manages accounts could else approve
 * at once, with an account made for it or with their own.
 */
const newAccessTime = day;

const tooNew =
	"L’une de vous deux a reçu son accès ou un rôle depuis moins de 24\u00a0heures. Demandez à une autre personne, ou attendez jusque-là.";

const cancelled = "Cette action a été annulée.";

/** A form of the desk, as it was sent. */
export interface SentForm {
	act: string;
	/** The same key is the same act, however often the form is sent. */
	key: string;
	orderId: string | null;
	fields: Fields;
}

/**
 * Does what an operator asked for with a form, once: checks the role, then runs the act, or schedules it when it can be undone, or lets
 * it wait for a second person. What can be known to fail is refused before it waits. Each run is in the trail.
 * @param actor with the roles of this moment.
 */
export async function performAct(shop: Shop, actor: Actor, form: SentForm): Promise<ActOutcome> {
	const act = findActByName(form.act);
	const answer = answerTo(form);
	if (act === undefined) return answer.refused({ text: "Cette action n’existe pas." });
	if (!actor.roles.has(act.role)) {
		const text = `Il vous faut le rôle «\u00a0${roleLabels[act.role]}\u00a0».`;
		await recordRefusedAct(shop, { verb: act.name, actor }, text);
		return answer.refused({ text });
	}
	const read = await readRequest(shop, act, form);
	if (!read.ok) return answer.refused(read);
	const { order } = read;
	const requestedAt = shop.now();
	const prepared: PreparedCall = { input: read.input, call: { shop, actor, order, requestedAt } };
	// the same form again: its order may have changed by its own act
	const waits = act.undoable && (await findAct(shop.db, form.key)) === null;
	const checked = waits ? await check(act, prepared) : null;
	const refuseAsked = async (refusal: ActRefusal) => {
		await recordRefusedAct(shop, { verb: act.name, actor, subject: order?.order_number ?? null }, getReason(refusal));
		return answer.refused(refusal);
	};
	if (checked?.ok === false) return refuseAsked(checked);
	const needsApproval = checked?.ok === true && ((await act.needsApproval?.(prepared.call, read.input, checked)) ?? false);
	const dueAt = act.undoable ? computeStart(requestedAt, order) : null;
	const requested = await shop.db.transaction().execute(async (trx) => {
		if (order && (act.undoable || act.exclusive)) {
			// two forms at once: the second one sees the first one's act
			await lockOrder(trx, order.id);
			const pending = await findPendingAct(trx, { orderId: order.id, key: form.key, now: shop.now() });
			if (pending) return describePending(pending);
		}
		const row = await insertAct(trx, {
			key: form.key,
			act: form.act,
			order_id: order?.id ?? null,
			fields: form.fields,
			operator_id: actor.id,
			operator_name: actor.name,
			origin: actor.origin,
			requested_at: requestedAt,
			due_at: dueAt,
			needs_approval: needsApproval,
		});
		if (row && dueAt && !needsApproval) await shop.jobs.send(trx, "run-desk-act", { key: form.key }, dueAt);
		return row;
	});
	if (typeof requested === "string") return refuseAsked(refuse(requested));
	if (requested === null) return describeKnown(shop, form, actor, act);
	if (needsApproval) return answer.waiting();
	if (dueAt) return answer.scheduled(act, dueAt);
	return toOutcome(form, await runNow(act, prepared, form.key));
}

/** A call with the fields that it was made with. */
interface PreparedCall {
	call: AnyCall;
	input: unknown;
}

/** Reads what was asked for. `order`: null for an act without one. */
async function readRequest(
	{ db }: Shop,
	act: Act,
	{ orderId, fields }: Pick<SentForm, "orderId" | "fields">,
): Promise<{ ok: true; order: Order | null; input: unknown } | ActRefusal> {
	const read = readFields(act.fields, fields);
	if (!read.ok) return read;
	const order = orderId === null ? null : await findOrder(db, orderId);
	if (order === null && (act.aboutOrder || orderId !== null)) return refuse("Cette commande n’existe pas.");
	return { ok: true, order, input: read.input };
}

/** Refuses an act while another operator has its order, and what its own check refuses. */
async function check(act: Act, { call, input }: PreparedCall): Promise<{ ok: true } | ActRefusal> {
	const held = act.claims && call.order ? await findOtherHolder(call.shop, call.order, call.actor) : null;
	if (held !== null) return refuse(held);
	return (await act.check?.(call, input)) ?? { ok: true };
}

/** The same form again: its result, or a new run when the first one crashed. */
async function describeKnown(shop: Shop, form: SentForm, actor: Actor, act: Act): Promise<ActOutcome> {
	const known = await findAct(shop.db, form.key);
	const answer = answerTo(form);
	if (known === null || known.operator_id !== actor.id || known.act !== form.act)
		return answer.refused({ text: "Ce formulaire n’est plus valable\u00a0: rechargez la page." });
	if (known.ended_at) return toOutcome(form, { ok: known.ok === true, text: known.sentence ?? "" });
	if (known.undone_at) return { ...answer.base("Annulé\u00a0: rien n’a été fait."), state: "undone" };
	if (known.needs_approval && known.approved_by === null) return answer.waiting();
	if (known.due_at) return answer.scheduled(act, known.due_at);
	const begunAt = (known.started_at ?? known.requested_at).getTime();
	if (shop.now().getTime() - begunAt < crashTime) return { ...answer.base("C’est en cours."), state: "running" };
	return toOutcome(form, await runAgain(shop, act, actor, form.key));
}

/** Runs a crashed act with the fields and the order that were asked for first, whatever the form that came with its key now says. */
async function runAgain(shop: Shop, act: Act, actor: Actor, key: string): Promise<ActResult> {
	const started = await startAct(shop.db, key, shop.now());
	return started === null ? refuse(cancelled) : runRequested(shop, act, actor, started);
}

/** Runs a started act as it was asked for. One that cannot run any more ends, with a line in the trail. */
async function runRequested(shop: Shop, act: Act, actor: Actor, started: RequestedAct): Promise<ActResult> {
	const { key, order_id: orderId, approved_by, requested_at: requestedAt } = started;
	const read = actor.roles.has(act.role)
		? await readRequest(shop, act, { orderId, fields: started.fields ?? {} })
		: refuse(`Il manquait le rôle «\u00a0${roleLabels[act.role]}\u00a0».`);
	if (read.ok) {
		const { order, input } = read;
		return runNow(act, { input, call: { shop, actor, order, requestedAt, isApproved: approved_by !== null } }, key, started);
	}
	await recordRefusedAct(shop, { verb: act.name, actor, subject: await findNumber(shop, orderId) }, read.text);
	await endAct(shop.db, key, { ok: false, sentence: read.text, now: shop.now() });
	return read;
}

/** Undoes an act of this operator, or of anybody who may do it, before its time. */
export async function undo(shop: Shop, actor: Actor, key: string): Promise<{ ok: boolean; text: string }> {
	const known = await findAct(shop.db, key);
	const act = known && findActByName(known.act);
	if (!known || !act || !actor.roles.has(act.role)) return refuse("Cette action n’existe pas.");
	return decide(shop, actor, "undo", known, async () => {
		const undone = await undoAct(shop.db, key, shop.now());
		return undone
			? { ok: true, text: "Annulé\u00a0: rien n’a été fait." }
			: refuse("C’est déjà fait\u00a0: il est trop tard pour annuler.");
	});
}

/** Takes a refused act out of the bar of the operator who had asked for it. */
export async function dismiss(shop: Shop, { id }: { id: string }, key: string): Promise<{ ok: boolean; text: string }> {
	await markSeen(shop.db, { key, operatorId: id, now: shop.now() });
	return { ok: true, text: "C’est noté." };
}

/** Approves an act above a limit, by another person than the one who asked for it; it then begins like any other. */
export async function approve(shop: Shop, actor: Actor, key: string): Promise<{ ok: boolean; text: string }> {
	const known = await findAct(shop.db, key);
	const act = known && findActByName(known.act);
	if (!known || !act || !actor.roles.has(act.role)) return refuse("Cette demande n’existe pas.");
	if (known.operator_id === actor.id) return refuse("Une autre personne doit approuver votre demande.");
	return decide(shop, actor, "approve", known, async () => {
		const since = new Date(shop.now().getTime() - newAccessTime);
		if (await hasNewAccess(shop.db, [known.operator_id, actor.id], since)) return refuse(tooNew);
		const approved = await shop.db.transaction().execute(async (trx) => {
			const row = await approveAct(trx, key, actor.id);
			if (row) await shop.jobs.send(trx, "run-desk-act", { key });
			return row;
		});
		return approved ? { ok: true, text: "Approuvé." } : refuse("Cette demande n’attend plus\u00a0: elle a été traitée ou retirée.");
	});
}

/** The job of a scheduled or approved act. The person's roles are read again: who has left meanwhile does nothing more. */
export async function runScheduledAct(shop: Shop, key: string): Promise<void> {
	const started = await startAct(shop.db, key, shop.now());
	const act = started && findActByName(started.act);
	if (!started || !act) return;
	const operator = await findOperator(shop.db, started.operator_id);
	const { operator_id: id, operator_name: name, origin } = started;
	await runRequested(shop, act, { id, name, roles: new Set(operator?.roles), origin }, started);
}

/**
 * Checks an act once more and runs it, in the trail, and records its result.
 * @throws what the use case throws; the act can then run again.
 */
async function runNow(act: Act, prepared: PreparedCall, key: string, started?: RequestedAct): Promise<ActResult> {
	const { shop, actor, order } = prepared.call;
	if (!started && (await startAct(shop.db, key, shop.now())) === null) return refuse(cancelled);
	const checkAndRun = async () => {
		const checked = await check(act, prepared);
		const ended = checked.ok ? await act.run(prepared.call, prepared.input, checked) : checked;
		return ended.ok ? ended : { ...ended, after: { refusal: getReason(ended) } };
	};
	const run = () => runRecorded(shop, { verb: act.name, subject: order?.order_number ?? null, actor }, checkAndRun);
	const result = order ? await inContext({ order: order.id }, run) : await run();
	await endAct(shop.db, key, { ok: result.ok, sentence: result.text, now: shop.now() });
	return result;
}

/** Why an order takes no other act: one of them can still be undone. */
const describePending = ({ act, operator_name }: Pick<RequestedAct, "act" | "operator_name">): string =>
	`«\u00a0${labelAct(act)}\u00a0», demandé par ${operator_name}, n’est pas encore fait. Annulez-le, ou réessayez dans une minute.`;

/** When an undoable act begins: sooner when the time to undo would break the order's promise. */
function computeStart(now: Date, order: Order | null): Date {
	const left = order?.promised_at ? order.promised_at.getTime() - now.getTime() : Number.POSITIVE_INFINITY;
	const wait = left <= 0 ? undoTime : Math.min(undoTime, Math.max(0, left - deliveryTime));
	return new Date(now.getTime() + wait);
}

/** Decides on an act that waits. The line of the trail names the act. */
async function decide(
	shop: Shop,
	actor: Actor,
	verb: Verb,
	{ act, order_id }: RequestedAct,
	run: () => Promise<{ ok: boolean; text: string }>,
): Promise<{ ok: boolean; text: string }> {
	const what = { verb, actor, subject: await findNumber(shop, order_id) };
	const { ok, text } = await runRecorded(shop, what, async () => {
		const decided = await run();
		return { ...decided, after: { act, refusal: decided.ok ? null : decided.text } };
	});
	return { ok, text };
}

/** What the trail keeps of a refusal. */
const getReason = ({ text, quotes }: ActRefusal): string | null => (quotes ? null : text);

const findNumber = async ({ db }: Shop, orderId: string | null) =>
	orderId === null ? null : ((await findOrder(db, orderId))?.order_number ?? null);

const toOutcome = (form: SentForm, result: ActResult): ActOutcome =>
	result.ok ? { ...answerTo(form).base(result.text), state: "done" } : answerTo(form).refused(result);

function answerTo({ act, key, orderId }: SentForm) {
	const base = (text: string) => ({ act, key, orderId, text });
	return {
		base,
		refused: ({ text, field }: Pick<ActRefusal, "text" | "field">): ActOutcome => ({
			...base(text),
			state: "refused",
			...(field && { field }),
		}),
		scheduled: ({ label }: Act, dueAt: Date): ActOutcome => ({
			...base(`«\u00a0${label}\u00a0» est demandé.`),
			state: "scheduled",
			dueAt: dueAt.toISOString(),
		}),
		waiting: (): ActOutcome => ({ ...base("Une deuxième personne doit approuver."), state: "waiting for approval" }),
	};
}
