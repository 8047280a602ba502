import { describeFault } from "../../server/observability/log.ts";
import { isUuid } from "../../server/uuid.ts";
import { orderExists } from "../orders/copies/order-copies.store.server.ts";
import { copiesPrefix } from "../orders/copies/read-copy.server.ts";
import {
	discardCopy,
	findLostOrder,
	type RecreateResult,
	recreateOrder,
	recreatePurchase,
} from "../orders/copies/recreate-order.server.ts";
import { recreatedLabels, recreateRefusals } from "../orders/copies/recreate-sentences.ts";
import { formatInvoiceNumber, type InvoiceNumber, parseInvoiceNumber } from "../orders/invoices/invoice-number.ts";
import { listSeries, listUnexplainedPlaces } from "../orders/invoices/invoices.store.server.ts";
import { listNumbersAfter } from "../orders/invoices/issued-numbers.server.ts";
import { moveInvoices } from "../orders/invoices/move-invoices.server.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrderByReference } from "../orders/orders.store.server.ts";
import type { Outage } from "../payments/provider.ts";
import { syncPurchase } from "../payments/sync-purchase.server.ts";
import type { Shop } from "../shop.ts";
import { type Command, type CommandResult, done, refuse } from "./command.ts";
import { providerUnavailable } from "./reconcile-command.server.ts";

/** Commands for the time after a restore of the database. */

export const recreate: Command = {
	usage: "KB-… | <uuid> | cs_… | --all [--discard-copy]",
	description:
		"recrée une commande perdue, ou en retard, à partir de sa copie ; --all : toutes ; --discard-copy : refait la copie d’après ce qui est ici",
	argCount: [0, 1],
	options: { all: { type: "boolean" }, "discard-copy": { type: "boolean" } },
	async run({ shop, args, options }) {
		const [typed] = args;
		if ((typed === undefined) !== (options.all === true)) return refuse("Donnez une commande, ou --all pour toutes.");
		const discards = options["discard-copy"] === true;
		if (discards && typed === undefined) return refuse("--discard-copy vaut pour une commande à la fois.");
		if (typed === undefined) return recreateAll(shop);
		const found = await findOrderId(shop, typed.trim());
		if (!found.ok) return refuse(providerUnavailable);
		const { orderId } = found;
		if (orderId === null) return refuse(`Aucune commande ni aucune copie ne correspond à ${typed}.`);
		if (discards)
			return (await discardCopy(shop, orderId))
				? done("La copie est supprimée. Elle est refaite dans la minute, d’après ce qui est ici.")
				: refuse("Cette commande n’est pas ici : sa copie est tout ce qui en reste.");
		const { asked, others } = await recreatePurchase(shop, orderId);
		const lines = [[orderId, asked] as const, ...others.map(({ orderId, result }) => [orderId, result] as const)].map(([id, result]) =>
			result.ok ? `${result.orderNumber} : ${recreatedLabels[result.what]}.` : formatRefusal(result, others.length > 0 ? id : undefined),
		);
		const results = [asked, ...others.map(({ result }) => result)];
		const text = `${lines.join("\n")}${await syncWithProvider(shop, results)}`;
		return { ...(results.every(({ ok }) => ok) ? done : refuse)(text), ...toSubject(asked) };
	},
};

const toSubject = ({ orderNumber }: RecreateResult) => (orderNumber === null ? {} : { subject: orderNumber });

/** Finds an order by its number or UUID, or the first of a purchase by its payment session, in the database or among the copies. */
async function findOrderId(shop: Shop, reference: string): Promise<{ ok: true; orderId: string | null } | Outage> {
	if (isUuid(reference)) return { ok: true, orderId: reference };
	if (reference.startsWith("cs_")) {
		const found = await shop.provider.findSession(reference);
		return found.ok ? { ok: true, orderId: found.session?.purchaseId ?? null } : found;
	}
	const number = parseOrderNumber(reference);
	if (number === null) return { ok: true, orderId: null };
	const order = await findOrderByReference(shop.db, { number });
	return { ok: true, orderId: order?.id ?? (await findLostOrder(shop, number)) };
}

/**
 * Syncs recreated purchases with the payment provider, which may know newer payments. Jobs do the remaining work within minutes. All orders
 * of a purchase must be recreated first, because it compares the payment with the sum of their prices.
 */
async function syncWithProvider(shop: Shop, results: readonly RecreateResult[]): Promise<string> {
	const changed = results.flatMap((result) => (result.ok && result.what !== "here" ? [result] : []));
	let text = "";
	for (const purchaseId of new Set(changed.map((result) => result.purchaseId))) {
		if ((await syncPurchase(shop, purchaseId)).ok) continue;
		text = ` Le prestataire de paiement ne répond pas : comparez avec lui plus tard (reconcile).`;
	}
	return text;
}

async function recreateAll(shop: Shop): Promise<CommandResult> {
	const counts = { made: 0, "brought-forward": 0, here: 0 };
	const problems: string[] = [];
	const changed = new Map<string, RecreateResult>();
	/** Orders whose first order was not there yet. */
	const postponed: string[] = [];
	/** The orders of purchases of several, as the copies name them. */
	const named = new Set<string>();
	const refused = new Set<string>();
	const refuseOrder = (orderId: string, problem: string) => {
		refused.add(orderId);
		problems.push(problem);
	};
	const recreate = async (orderId: string): Promise<RecreateResult | null> => {
		try {
			const result = await recreateOrder(shop, orderId);
			if (result.ok) {
				counts[result.what]++;
				if (result.purchase.length > 1) for (const id of result.purchase) named.add(id);
				if (result.what !== "here") changed.set(result.purchaseId, result);
			}
			return result;
		} catch (error) {
			shop.log.error({ order: orderId, error: describeFault(error) }, "an order could not be recreated");
			refuseOrder(orderId, `${orderId} : une panne l’a empêché (le journal dit laquelle). Relancez la commande.`);
			return null;
		}
	};
	await forEachConcurrently(shop.storage.list(copiesPrefix)[Symbol.asyncIterator](), async ({ path }) => {
		const orderId = path.slice(copiesPrefix.length);
		const result = await recreate(orderId);
		if (result?.ok !== false) return;
		if (result.code === "first-missing") postponed.push(orderId);
		else refuseOrder(orderId, formatRefusal(result, orderId));
	});
	await forEachConcurrently(postponed.values(), async (orderId) => {
		const result = await recreate(orderId);
		if (result?.ok === false) refuseOrder(orderId, formatRefusal(result, orderId));
	});
	const copies = counts.made + counts["brought-forward"] + counts.here + refused.size;
	// an order whose copy is lost too: only the copies of the others tell of it
	for (const orderId of named)
		if (!refused.has(orderId) && !(await orderExists(shop.db, orderId)))
			problems.push(formatRefusal({ ok: false, orderNumber: null, code: "no-copy", numbers: [] }, orderId));
	// the provider is asked about a purchase when all its orders are there
	await forEachConcurrently(changed.values(), async (result) => {
		const problem = await syncWithProvider(shop, [result]);
		if (problem !== "" && result.ok) problems.push(`${result.orderNumber} :${problem}`);
	});
	const lines = [
		`Copies lues : ${copies}.`,
		`Commandes recréées : ${counts.made}.`,
		`Commandes remises à jour : ${counts["brought-forward"]}.`,
		`Commandes déjà complètes : ${counts.here}.`,
		...(problems.length > 0 ? [`À voir : ${problems.length}.`, ...problems.map((problem) => `  ${problem}`)] : []),
		...(await describeSeries(shop)),
	];
	return (problems.length > 0 ? refuse : done)(lines.join("\n"));
}

/** Copies read in parallel. Each may use a database connection. */
const concurrency = 4;

/** Does the work of each item, a few at a time. */
async function forEachConcurrently<T>(items: Iterator<T> | AsyncIterator<T>, work: (item: T) => Promise<void>): Promise<void> {
	const workThrough = async () => {
		for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: concurrency }, workThrough));
}

function formatRefusal({ code, orderNumber, numbers }: Extract<RecreateResult, { ok: false }>, orderId?: string): string {
	return `${orderNumber ?? orderId ?? "Cette commande"} : ${recreateRefusals[code]}${numbers.length > 0 ? ` Numéros : ${numbers.join(", ")}.` : ""}`;
}

export const moveInvoicesCommand: Command = {
	usage: 'F2026-000035 --reason "<motif>"',
	description: "avance la numérotation jusqu’au numéro donné ; sans numéro, montre les séries",
	argCount: [0, 1],
	options: { reason: { type: "string" } },
	async run({ shop, args, options }) {
		const [typed] = args;
		if (typed === undefined) {
			const lines = await describeSeries(shop, true);
			return done(lines.length > 0 ? lines.join("\n") : "Aucune facture n’a encore été établie.");
		}
		const number = parseInvoiceNumber(typed);
		if (number === null) return refuse("Ce numéro ne se lit pas. Exemple : F2026-000035, ou A2026-000004 pour les avoirs.");
		const reason = typeof options.reason === "string" ? options.reason.trim() : "";
		if (reason === "") return refuse('Donnez le motif, que le comptable lira : --reason "base restaurée du 22 au 23 novembre".');
		const moved = await moveInvoices(shop, number, reason);
		const newLast = formatInvoiceNumber(number);
		if (!moved.ok) return { ...refuse(formatMoveRefusal(moved, number)), subject: newLast };
		const gaps = moved.gaps.length > 0 ? ` Numéros sans facture, notés avec ce motif : ${formatPlaces(number, moved.gaps)}.` : "";
		const next = formatInvoiceNumber({ ...number, place: number.place + 1 });
		return { ...done(`Le dernier numéro est maintenant ${newLast}. Le prochain sera ${next}.${gaps}`), subject: newLast };
	},
};

type MoveRefusal = Extract<Awaited<ReturnType<typeof moveInvoices>>, { ok: false }>;

const formatMoveRefusal = ({ code, place }: MoveRefusal, number: InvoiceNumber) =>
	moveRefusals[code](formatInvoiceNumber({ ...number, place }));

const moveRefusals: Record<MoveRefusal["code"], (number: string) => string> = {
	backwards: (at) => `La série est déjà à ${at} : elle ne recule pas.`,
	"known-behind": (at) => `Le stockage connaît ${at} : faites passer la série au moins jusque-là.`,
	"too-far": (at) => `C’est plus de 1 000 numéros après ${at}, le dernier connu : vérifiez le numéro.`,
	"not-begun": () => "Cette année n’a pas commencé.",
};

/** Describes each series: its last number here, its last number in the storage, and its unexplained gaps. */
async function describeSeries(shop: Shop, all = false): Promise<string[]> {
	const lines: string[] = [];
	for (const series of await listSeries(shop.db)) {
		const lastInStorage = (await listNumbersAfter(shop.storage, series)).at(-1);
		const unexplained = await listUnexplainedPlaces(shop.db, series);
		if (!all && lastInStorage === undefined && unexplained.length === 0) continue;
		const last = formatInvoiceNumber(series);
		lines.push(
			`Série ${last.split("-")[0]} : dernier numéro ici ${last}, dans le stockage ${lastInStorage ? formatInvoiceNumber(lastInStorage) : "aucun après lui"}.`,
		);
		if (unexplained.length > 0)
			lines.push(`  Numéros sans facture : ${formatPlaces(series, unexplained)}. Notez pourquoi : move-invoices ${last} --reason "…".`);
		if (lastInStorage)
			lines.push(
				`  Tant que la série n’avance pas, rien n’est facturé : move-invoices ${formatInvoiceNumber(lastInStorage)} --reason "…".`,
			);
	}
	return lines;
}

const formatPlaces = (series: InvoiceNumber, places: number[]) =>
	places.map((place) => formatInvoiceNumber({ ...series, place })).join(", ");
