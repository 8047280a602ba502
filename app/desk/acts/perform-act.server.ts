import { day } from "../../../server/durations.ts";
import { inContext } from "../../../server/observability/request-context.ts";
import {
	approveAct,
	endAct,
	type Fields,
	findAct,
	findPendingAct,
	insertAct,
	markSeen,
	type RequestedAct,
	startAct,
	undoAct,
} from "../../desk-log/acts.store.server.ts";
import { recordRefusedAct, runRecorded } from "../../desk-log/run-recorded.server.ts";
import { findOperator, hasNewAccess } from "../../operators/operators.store.server.ts";
import { type Actor, roleLabels } from "../../operators/roles.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, lockOrder } from "../../orders/orders.server.ts";
import type { Shop } from "../../shop.ts";
import type { Act, ActCall, ActOutcome, ActRefusal, ActResult, PreparedAct } from "./act.ts";
import { actTable } from "./act-table.server.ts";

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
export async function performAct(shop: Shop, actor: Actor & { id: string }, form: SentForm): Promise<ActOutcome> {
	const act = Object.hasOwn(actTable, form.act) ? actTable[form.act] : undefined;
	const answer = answerTo(form);
	if (act === undefined) return answer.refused({ text: "Cette action n’existe pas." });
	if (!actor.roles.has(act.role)) {
		await recordRefusedAct(shop, describeRun(act, actor, null));
		return answer.refused({ text: `Il vous faut le rôle «\u00a0${roleLabels[act.role]}\u00a0».` });
	}
	const prepared = act.prepare(form.fields);
	if (!prepared.ok) return answer.refused(prepared);
	const order = form.orderId === null ? null : await findOrder(shop.db, form.orderId);
	if (form.orderId !== null && order === null) return answer.refused({ text: "Cette commande n’existe pas." });
	const requestedAt = shop.now();
	const call = { shop, actor, order, requestedAt };
	// the same form again: its order may have changed by its own act
	const isNew = act.undoable && (await findAct(shop.db, form.key)) === null;
	const refusal = isNew ? await prepared.check(call) : null;
	if (refusal) return answer.refused(refusal);
	const needsApproval = await prepared.needsApproval(call);
	const dueAt = act.undoable ? computeStart(requestedAt, order) : null;
	const requested = await shop.db.transaction().execute(async (trx) => {
		if (order && (act.undoable || act.exclusive)) {
			// two forms at once: the second one sees the first one's act
			await lockOrder(trx, order.id);
			const pending = await findPendingAct(trx, { orderId: order.id, key: form.key, now: shop.now() });
			if (pending) return describePending(pending);
		}
		const row = await insertAct(trx, {
			...{ key: form.key, act: form.act, order_id: order?.id ?? null, fields: form.fields },
			...{ operator_id: actor.id, operator_name: actor.name, origin: actor.origin },
			...{ requested_at: requestedAt, due_at: dueAt, needs_approval: needsApproval },
		});
		if (row && dueAt && !needsApproval) await shop.jobs.send(trx, "run-desk-act", { key: form.key }, dueAt);
		return row;
	});
	if (typeof requested === "string") return answer.refused({ text: requested });
	if (requested === null) return describeKnown(shop, form, actor, act);
	if (needsApproval) return answer.waiting();
	if (dueAt) return answer.scheduled(act, dueAt);
	return toOutcome(form, await runNow(shop, act, prepared, call, form.key));
}

/** The same form again: its result, or a new run when the first one crashed. */
async function describeKnown(shop: Shop, form: SentForm, actor: Actor & { id: string }, act: Act): Promise<ActOutcome> {
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
	if (started === null) return { ok: false, text: cancelled };
	const read = await readRequested(shop, act, started);
	return read.ok ? runNow(shop, act, read.prepared, { shop, actor, ...read.call }, key, started) : refuseRun(shop, act, actor, key, read);
}

/** Reads what was asked for. `order`: null also when it no longer exists. */
async function readRequested(shop: Shop, act: Act, { fields, order_id, approved_by, requested_at }: RequestedAct) {
	const order = order_id === null ? null : await findOrder(shop.db, order_id);
	const prepared = act.prepare(fields ?? {});
	if (!prepared.ok) return { ok: false, text: prepared.text, order } as const;
	if (order_id !== null && order === null) return { ok: false, text: "Cette commande n’existe plus.", order } as const;
	return { ok: true, prepared, order, call: { order, isApproved: approved_by !== null, requestedAt: requested_at } } as const;
}

/** Ends an act that cannot run, and says so in the trail. */
async function refuseRun(
	shop: Shop,
	act: Act,
	actor: Actor,
	key: string,
	{ text, order }: { text: string; order: Order | null },
): Promise<ActRefusal> {
	await recordRefusedAct(shop, describeRun(act, actor, order));
	await endAct(shop.db, key, { ok: false, sentence: text, now: shop.now() });
	return { ok: false, text };
}

/** Undoes an act of this operator, or of anybody who may do it, before its time. */
export async function undo(shop: Shop, actor: Actor & { id: string }, key: string): Promise<{ ok: boolean; text: string }> {
	const known = await findAct(shop.db, key);
	const act = known && actTable[known.act];
	if (!known || !act || !actor.roles.has(act.role)) return { ok: false, text: "Cette action n’existe pas." };
	const order = known.order_id === null ? null : await findOrder(shop.db, known.order_id);
	return runRecorded(shop, { ...describeRun(act, actor, order), verb: `bureau\u00a0: annuler «\u00a0${act.label}\u00a0»` }, async () => {
		const undone = await undoAct(shop.db, key, shop.now());
		return undone
			? { ok: true, text: "Annulé\u00a0: rien n’a été fait." }
			: { ok: false, text: "C’est déjà fait\u00a0: il est trop tard pour annuler." };
	});
}

/** Takes a refused act out of the bar of the operator who had asked for it. */
export async function dismiss(shop: Shop, { id }: { id: string }, key: string): Promise<{ ok: boolean; text: string }> {
	await markSeen(shop.db, { key, operatorId: id, now: shop.now() });
	return { ok: true, text: "C’est noté." };
}

/** Approves an act above a limit, by another person than the one who asked for it; it then begins like any other. */
export async function approve(shop: Shop, actor: Actor & { id: string }, key: string): Promise<{ ok: boolean; text: string }> {
	const known = await findAct(shop.db, key);
	const act = known && actTable[known.act];
	if (!known || !act || !actor.roles.has(act.role)) return { ok: false, text: "Cette demande n’existe pas." };
	if (known.operator_id === actor.id) return { ok: false, text: "Une autre personne doit approuver votre demande." };
	const order = known.order_id === null ? null : await findOrder(shop.db, known.order_id);
	return runRecorded(shop, { ...describeRun(act, actor, order), verb: `bureau\u00a0: approuver «\u00a0${act.label}\u00a0»` }, async () => {
		const since = new Date(shop.now().getTime() - newAccessTime);
		if (await hasNewAccess(shop.db, [known.operator_id, actor.id], since)) return { ok: false, text: tooNew };
		const approved = await shop.db.transaction().execute(async (trx) => {
			const row = await approveAct(trx, key, actor.id);
			if (row) await shop.jobs.send(trx, "run-desk-act", { key });
			return row;
		});
		return approved
			? { ok: true, text: "Approuvé." }
			: { ok: false, text: "Cette demande n’attend plus\u00a0: elle a été traitée ou retirée." };
	});
}

/** The job of a scheduled or approved act. The person's roles are read again: who has left meanwhile does nothing more. */
export async function runScheduledAct(shop: Shop, key: string): Promise<void> {
	const started = await startAct(shop.db, key, shop.now());
	const act = started && actTable[started.act];
	if (!started || !act) return;
	const operator = await findOperator(shop.db, started.operator_id);
	const actor: Actor = { id: started.operator_id, name: started.operator_name, roles: new Set(operator?.roles), origin: started.origin };
	const read = await readRequested(shop, act, started);
	if (!actor.roles.has(act.role)) {
		await refuseRun(shop, act, actor, key, { text: `Il manquait le rôle «\u00a0${roleLabels[act.role]}\u00a0».`, order: read.order });
	} else if (!read.ok) await refuseRun(shop, act, actor, key, read);
	else await runNow(shop, act, read.prepared, { shop, actor, ...read.call }, key, started);
}

/** Runs an act in the trail and records its result. @throws what the use case throws; the act can then run again. */
async function runNow(shop: Shop, act: Act, prepared: PreparedAct, call: ActCall, key: string, started?: RequestedAct): Promise<ActResult> {
	if (!started && (await startAct(shop.db, key, shop.now())) === null) return { ok: false, text: cancelled };
	const run = () => runRecorded(shop, describeRun(act, call.actor, call.order), () => prepared.run(call));
	const result = call.order ? await inContext({ order: call.order.id }, run) : await run();
	await endAct(shop.db, key, { ok: result.ok, sentence: result.text, now: shop.now() });
	return result;
}

/** Why an order takes no other act: one of them can still be undone. */
const describePending = ({ act, operator_name }: Pick<RequestedAct, "act" | "operator_name">): string =>
	`«\u00a0${actTable[act]?.label ?? act}\u00a0», demandé par ${operator_name}, n’est pas encore fait. Annulez-le, ou réessayez dans une minute.`;

/** When an undoable act begins: sooner when the time to undo would break the order's promise. */
function computeStart(now: Date, order: Order | null): Date {
	const left = order?.promised_at ? order.promised_at.getTime() - now.getTime() : Number.POSITIVE_INFINITY;
	const wait = left <= 0 ? undoTime : Math.min(undoTime, Math.max(0, left - deliveryTime));
	return new Date(now.getTime() + wait);
}

const describeRun = (act: Act, actor: Actor, order: Order | null) => ({
	verb: `bureau\u00a0: ${act.label}`,
	subject: order?.order_number ?? null,
	who: actor.name,
	operatorId: actor.id,
	origin: actor.origin,
});

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
