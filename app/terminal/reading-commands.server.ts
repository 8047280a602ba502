import { isKeyOf } from "../../server/types/objects.ts";
import { formatStamp } from "../catalogue/instants.ts";
import { services } from "../catalogue/services.ts";
import { formatTimeLeft } from "../catalogue/urgency.ts";
import { type DeskOutcome, listDeskLog } from "../desk-log/desk-log.store.server.ts";
import { inProgressStatuses, isInProgress, statusLabels } from "../orders/lifecycle.ts";
import { findPurchases } from "../orders/orders.server.ts";
import { formatPlace, type Purchase } from "../orders/purchase.ts";
import { readOrderFile } from "../retention/order-file.server.ts";
import { alignColumns, toOneLine } from "./columns.ts";
import { type Command, done, type OrderCommand, refuse } from "./command.ts";
import { formatOrder } from "./format-order.server.ts";
import { listQueue, type QueuedOrder } from "./order-list.store.server.ts";

/** Orders listed at most. */
const maxListedOrders = 200;

export const list: Command = {
	usage: "[--status paid,processing] [--late] [--set-aside] [--refund-requests]",
	description: "les commandes à servir, la plus pressée d’abord",
	argCount: [0, 0],
	options: {
		status: { type: "string" },
		late: { type: "boolean" },
		"set-aside": { type: "boolean" },
		"refund-requests": { type: "boolean" },
	},
	async run({ shop, options }) {
		const { status, late, "set-aside": onHold, "refund-requests": refundRequests } = options;
		const names = typeof status === "string" ? status.split(",").map((name) => name.trim()) : null;
		const unknown = names?.find((name) => !isKeyOf(statusLabels, name));
		if (unknown !== undefined) return refuse(`« ${unknown} » n’est pas un état : ${Object.keys(statusLabels).join(", ")}.`);
		// an order on hold or with a refund request may be in any state
		const defaultFilter = onHold || refundRequests ? {} : { statuses: inProgressStatuses };
		const filter = {
			...(names ? { statuses: names.filter((name) => isKeyOf(statusLabels, name)) } : defaultFilter),
			late: late === true,
			onHold: onHold === true,
			refundRequests: refundRequests === true,
		};
		const orders = await listQueue(shop.db, filter, { now: shop.now(), limit: maxListedOrders });
		if (orders.length === 0) return done("Aucune commande.");
		const heading = ["Reste", "Commande", "Service", "Société", "État", "Promise pour", "À savoir"];
		const more = orders.length === maxListedOrders ? `\nSeules les ${maxListedOrders} premières sont listées.` : "";
		const purchases = await findPurchases(
			shop.db,
			orders.map(({ purchase_id }) => purchase_id),
		);
		const rows = orders.map((order) => toRow(order, purchases.get(order.purchase_id), shop.now()));
		return done(alignColumns([heading, ...rows]) + more);
	},
};

function toRow(order: QueuedOrder, purchase: Purchase | undefined, now: Date): string[] {
	const inProgress = isInProgress(order.status);
	const notes = [
		order.late_at && "en retard",
		order.uploaded && "extrait déposé",
		order.holder && `prise par ${toOneLine(order.holder)}`,
		order.set_aside_at && "mise de côté",
		order.refund_asked && "remboursement demandé",
		order.disputed_at && "contestée",
		formatPlace(purchase, order),
		order.reference && toOneLine(order.reference),
	];
	return [
		inProgress && order.promised_at ? formatTimeLeft(order.promised_at, now) : "—",
		order.order_number,
		services[order.product_code].name,
		`${toOneLine(order.company_name)} (${order.siren})`,
		statusLabels[order.status],
		order.promised_at ? formatStamp(order.promised_at) : "—",
		notes.filter((note) => note).join(", "),
	];
}

export const show: OrderCommand = {
	usage: "KB-…",
	description: "tout ce qui est connu d’une commande",
	argCount: [0, 0],
	run: async ({ shop }, order) => done(formatOrder(await readOrderFile(shop.db, order), shop.now())),
};

/** Commands listed by default. */
const defaultLogLines = 50;

export const log: Command = {
	usage: "[nombre, 50 sinon]",
	description: "qui a lancé quelle commande, la dernière d’abord",
	argCount: [0, 1],
	async run({ shop, args }) {
		const limit = args[0] === undefined ? defaultLogLines : Number(args[0]);
		if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) return refuse("Donnez un nombre de lignes, par exemple 100.");
		const entries = await listDeskLog(shop.db, limit);
		const rows = entries.map(({ at, who, verb, subject, outcome }) => [formatStamp(at), who, verb, subject ?? "", outcomeLabels[outcome]]);
		return done(alignColumns([["Quand", "Qui", "Commande", "Sur", "Issue"], ...rows]));
	},
};

const outcomeLabels: Record<DeskOutcome, string> = {
	begun: "en cours, ou interrompue",
	done: "faite",
	refused: "refusée",
	failed: "arrêtée par une panne",
};
