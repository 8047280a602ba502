import type { Context } from "../../../server/runtime.ts";
import { isPosted } from "../../catalogue/services.ts";
import { contentAddress } from "../../orders/documents/content-address.server.ts";
import type { Claimant, HeldByOther } from "../claims/claim.ts";
import { checkClaim, findHolder, releaseOrder } from "../claims/claim-order.server.ts";
import { examineExtract } from "../extracts/examine-extract.server.ts";
import type { InspectorContext } from "../extracts/inspect-pdf.server.ts";
import { type ExtractProblem, findCompanyProblem, findPicture } from "../extracts/judge-extract.ts";
import { type DraftOrder, listDrafts, listOrdersOfCompanies } from "./drafts.store.server.ts";
import { type DraftRefusal, type DroppedFile, insertDraft, isDrawable } from "./insert-draft.server.ts";

/**
 * `unknown-siren`: the text names no company. `no-order`: no open order of the company waits for an extract. `several-companies`: the text
 * names several companies with open orders, and does not say which one it is of. `same-file`: dropped twice.
 */
export type SortRefusal = "unknown-siren" | "no-order" | "several-companies" | "same-file";

export type SortedFile = { fileName: string } & (
	| { ok: true; draftId: string; order: DraftOrder; others: DraftOrder[] }
	/** `orders`: those it may belong to. */
	| { ok: false; code: SortRefusal | DraftRefusal | ExtractProblem; siren: string | null; orders: DraftOrder[] }
	/** Another operator has each order that it may belong to. */
	| { ok: false; code: "held-by-other"; held: HeldByOther; orders: DraftOrder[] }
);

/** Files in one drop. */
export const maxDroppedFiles = 20;

/**
 * Keeps each file for the order of the company that it names, and claims that order: of several orders that no other operator has, the
 * one with the earliest promise. A file serves one order, and a scan serves a letter (docs/rules.md, R206).
 * @returns one outcome for each file, in their order.
 * @throws when the PDF inspector does not work; the files before it are kept.
 */
export async function sortFiles(
	context: Context & InspectorContext,
	files: readonly Omit<DroppedFile, "operator">[],
	operator: Claimant,
): Promise<SortedFile[]> {
	const sorted: SortedFile[] = [];
	const hashes = new Set<string>();
	const taken = new Set<string>();
	for (const file of files.slice(0, maxDroppedFiles)) {
		const { sha256 } = contentAddress(file.bytes);
		const outcome = hashes.has(sha256)
			? refuse(file, "same-file")
			: await sortFile(context, { ...file, operator: operator.id }, { operator, taken });
		hashes.add(sha256);
		if (outcome.ok) taken.add(outcome.order.id);
		sorted.push(outcome);
	}
	return sorted;
}

async function sortFile(
	context: Context & InspectorContext,
	file: DroppedFile,
	{ operator, taken }: { operator: Claimant; taken: ReadonlySet<string> },
): Promise<SortedFile> {
	const facts = await examineExtract(context, file.bytes);
	if (!isDrawable(facts)) return refuse(file, facts.problem ?? "damaged");
	const sirens = facts.siren === null ? facts.sirens : [facts.siren];
	const [siren = null] = sirens;
	if (siren === null) return refuse(file, "unknown-siren");
	const free = await listFreeOrders(context, sirens, { file, taken });
	const letters = findPicture(facts) ? free.filter(({ product_code }) => isPosted(product_code)) : [];
	const orders = letters.length > 0 ? letters : free;
	const [first] = orders;
	if (first === undefined) return refuse(file, "no-order", siren);
	if (orders.some((each) => each.siren !== first.siren)) return refuse(file, "several-companies", siren, orders);
	const claimed = await claimFirst(context, orders, operator);
	if (!claimed.ok) return { fileName: file.fileName, ok: false, code: "held-by-other", held: claimed, orders };
	const { order, wasFree } = claimed;
	const kept = await insertDraft(context, { ...file, facts, orderId: order.id });
	// without a file nothing is begun: a colleague may take the order
	if (!kept.ok && wasFree) await releaseOrder(context, operator, order.id);
	if (!kept.ok) return refuse(file, kept.code, siren, [order]);
	return { fileName: file.fileName, ok: true, draftId: kept.draft.id, order, others: orders.filter(({ id }) => id !== order.id) };
}

/**
 * Claims the first of these orders that no other operator has.
 * @returns who has the first one, when others have them all. `wasFree`: the operator did not have it before.
 */
async function claimFirst(
	context: Context,
	orders: readonly DraftOrder[],
	operator: Claimant,
): Promise<{ ok: true; order: DraftOrder; wasFree: boolean } | HeldByOther> {
	let held: HeldByOther | null = null;
	for (const order of orders) {
		const wasFree = (await findHolder(context.db, order.id, context.now())) === null;
		const checked = await context.db.transaction().execute((trx) => checkClaim(context, trx, { orderId: order.id, actor: operator }));
		if (checked.ok) return { ok: true, order, wasFree };
		held ??= checked;
	}
	if (held === null) throw new Error("no order to claim");
	return held;
}

/**
 * The orders that may take a file. One that has a good file already keeps it, because its delivery may be asked for: the next order of the
 * company takes the other file. The same file goes to its order again.
 */
async function listFreeOrders(
	{ db }: Context,
	sirens: readonly string[],
	{ file, taken }: { file: DroppedFile; taken: ReadonlySet<string> },
): Promise<DraftOrder[]> {
	const { sha256 } = contentAddress(file.bytes);
	const free: DraftOrder[] = [];
	for (const order of await listOrdersOfCompanies(db, sirens)) {
		const drafts = await listDrafts(db, order.id);
		if (drafts.some((draft) => draft.operator === file.operator && draft.sha256 === sha256)) return [order];
		if (!taken.has(order.id) && !drafts.some(({ facts }) => facts.problem === null && findCompanyProblem(facts, order.siren) === null))
			free.push(order);
	}
	return free;
}

const refuse = (
	{ fileName }: { fileName: string },
	code: SortRefusal | DraftRefusal | ExtractProblem,
	siren: string | null = null,
	orders: DraftOrder[] = [],
): SortedFile => ({ fileName, ok: false, code, siren, orders });
