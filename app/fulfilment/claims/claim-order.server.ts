import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { chooseNext } from "../../catalogue/forecast.ts";
import type { OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, lockOrder } from "../../orders/orders.store.server.ts";
import { readDesk } from "../forecast/read-desk.server.ts";
import { type Claim, type Claimant, claimMinutes, type HeldByOther } from "./claim.ts";
import {
	deleteClaim,
	deleteReadClaims,
	findClaim,
	insertClaim,
	lockNextOrder,
	type ReadClaim,
	replaceClaim,
} from "./claims.store.server.ts";

type ClaimContext = Pick<Context, "db" | "now">;

export type ClaimRefusal = HeldByOther | { ok: false; code: "unknown-order" | "ended" };

/** Tries of « next », each after another operator was faster. */
const maxAttempts = 20;

/**
 * « Prendre la suivante »: claims the most pressing order that waits for its extract and that nobody has (docs/rules.md, R75 and R280).
 * Two calls at once never get the same order.
 * @param release claims that the operator gives up for it, each as it was read: one that was extended since stays.
 * @returns null when none is left, and then nothing is given up.
 */
export async function claimNext(
	{ db, now, openingHours }: ClaimContext & { openingHours: OpeningCalendar },
	claimant: Claimant,
	{ services = serviceCodes, release = [] }: { services?: readonly ServiceCode[]; release?: readonly ReadClaim[] } = {},
): Promise<{ order: Order; released: string[] } | null> {
	const desk = await readDesk(db, { settings: await readSettings(db), openingHours, now: now() });
	const only = desk && chooseNext(desk) === "single" ? "single" : undefined;
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const attempted = await db.transaction().execute(async (trx) => {
			const asked = { services, now: now() };
			const orderId = (only && (await lockNextOrder(trx, { ...asked, only }))) ?? (await lockNextOrder(trx, asked));
			if (orderId === null) return "none";
			// the rule; lockNextOrder saves the try: its snapshot may be older than another claim
			if (!(await insertClaim(trx, orderId, claimant, getTime(now())))) return "taken";
			const order = await findOrder(trx, orderId);
			return order && { order, released: await deleteReadClaims(trx, claimant.id, release) };
		});
		if (attempted !== "taken") return attempted === "none" ? null : attempted;
	}
	return null;
}

/** Finds who works on an order now. */
export const findHolder = (db: Database, orderId: string, now: Date): Promise<Claim | null> => findClaim(db, orderId, now);

/** Claims one order. Claimed again by the same operator, it stays theirs for another twenty minutes. */
export async function claimOrder({ db, now }: ClaimContext, claimant: Claimant, orderId: string): Promise<{ ok: true } | ClaimRefusal> {
	return db.transaction().execute(async (trx) => {
		const refused = refuseEnded(await lockOrder(trx, orderId));
		return refused ?? checkClaim({ now }, trx, { orderId, actor: claimant });
	});
}

/** Gives a claimed order back to the queue. @returns false when the operator has no claim on it, which changes nothing. */
export async function releaseOrder({ db }: Pick<ClaimContext, "db">, claimant: Pick<Claimant, "id">, orderId: string): Promise<boolean> {
	return db.transaction().execute((trx) => deleteClaim(trx, orderId, claimant.id));
}

/** Claims an order that another operator may have. @returns the claim that it ends, for the trail. */
export async function takeOverOrder(
	{ db, now }: ClaimContext,
	claimant: Claimant,
	orderId: string,
): Promise<{ ok: true; previous: Claim | null } | Exclude<ClaimRefusal, HeldByOther>> {
	return db.transaction().execute(async (trx) => {
		const refused = refuseEnded(await lockOrder(trx, orderId));
		if (refused !== null) return refused;
		const previous = await findClaim(trx, orderId, now());
		await replaceClaim(trx, orderId, claimant, getTime(now()));
		return { ok: true, previous: previous?.operatorId === claimant.id ? null : previous };
	});
}

/**
 * For each act on an order, in its transaction: refuses while another operator has the order. Otherwise the order is the actor's for
 * another twenty minutes, also when the actor's claim had run out. A caller that locks the order does so before, against deadlocks.
 * @param actor a null id (a terminal, a job) is checked, and claims nothing.
 */
export async function checkClaim(
	{ now }: Pick<Context, "now">,
	trx: Trx,
	{ orderId, actor }: { orderId: string; actor: { id: string | null; name: string } },
): Promise<{ ok: true } | HeldByOther> {
	if (actor.id !== null && (await insertClaim(trx, orderId, { id: actor.id, name: actor.name }, getTime(now())))) return { ok: true };
	const claim = await findClaim(trx, orderId, now());
	if (claim === null) return { ok: true };
	return { ok: false, code: "held-by-other", holder: claim.operatorName, until: claim.expiresAt };
}

/** Ends the claim of an order that needs nobody any more. An order that completes or fails loses it by itself. */
export async function endClaim(trx: Trx, orderId: string): Promise<void> {
	await deleteClaim(trx, orderId);
}

const getTime = (now: Date) => ({ now, expiresAt: new Date(now.getTime() + claimMinutes * 60_000) });

function refuseEnded(order: Order | null): { ok: false; code: "unknown-order" | "ended" } | null {
	if (order === null) return { ok: false, code: "unknown-order" };
	return isInProgress(order.status) ? null : { ok: false, code: "ended" };
}
