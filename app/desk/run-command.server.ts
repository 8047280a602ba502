import { parseArgs } from "node:util";
import { inContext } from "../../server/observability/request-context.ts";
import { isUuid } from "../../server/uuid.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrderByReference } from "../orders/orders.server.ts";
import type { Shop } from "../shop.ts";
import { alignColumns } from "./columns.ts";
import { type Command, type CommandCall, type CommandResult, type OrderCommand, refuse } from "./command.ts";
import { bounce, resend } from "./email-commands.server.ts";
import { reconcile, refund, refuseRequest, sync } from "./money-commands.server.ts";
import { erase, exportData, purge } from "./privacy-commands.server.ts";
import { list, log, show } from "./reading-commands.server.ts";
import { moveInvoicesCommand, recreate } from "./restore-commands.server.ts";
import { asOption, runRecorded, whoRuns } from "./run-recorded.server.ts";
import { correctTrackingOf, fail, notFound, post, replaceExtractOf, upload } from "./serving-commands.server.ts";

/** Every verb of the operator, in the order in which the usage lists them. */
const orderVerbs: Record<string, OrderCommand> = {
	...{ show, upload, post, "not-found": notFound, fail },
	...{ "replace-extract": replaceExtractOf, "correct-tracking": correctTrackingOf },
	...{ refund, "refuse-refund": refuseRequest, settle: sync, resend },
};
const otherVerbs: Record<string, Command> = {
	list,
	bounce,
	reconcile,
	recreate,
	"move-invoices": moveInvoicesCommand,
	export: exportData,
	erase,
	purge,
	log,
};

const command = "npm run orders --";

const whoIsNoted = "Chaque verbe est noté au journal, avec --as <nom> ou, sans cette option, l’utilisateur du système.";

/** What `npm run orders` says by itself. */
export function usage(): string {
	const rows = ["list", ...Object.keys(orderVerbs), ...Object.keys(otherVerbs).filter((name) => name !== "list")].map((name) => {
		const verb = orderVerbs[name] ?? otherVerbs[name];
		return [`${name} ${verb?.usage ?? ""}`.trim(), verb?.does ?? ""];
	});
	const wide = rows.map(([how = "", does = ""]) => [`${how}\n      ${does}`]);
	return `Usage : ${command} <verbe> …\n\n${alignColumns(wide, "  ")}\n\n${whoIsNoted}`;
}

/** Does what the operator asks for, and records it. @returns the text for the terminal, also for a refusal or wrong usage. */
export async function runCommand(
	{ shop, readInput }: { shop: Shop; readInput: CommandCall["readInput"] },
	[name, ...args]: readonly string[],
): Promise<CommandResult> {
	const ofOrder = name !== undefined && Object.hasOwn(orderVerbs, name) ? orderVerbs[name] : undefined;
	const other = name !== undefined && Object.hasOwn(otherVerbs, name) ? otherVerbs[name] : undefined;
	const verb = ofOrder ?? other;
	if (verb === undefined) return refuse(name === undefined ? usage() : `« ${name} » n’est pas un verbe.\n\n${usage()}`);
	const parsed = parse(verb, args);
	const words = parsed && (ofOrder ? parsed.words.slice(1) : parsed.words);
	if (!parsed || !words || (ofOrder && parsed.words.length === 0) || words.length < verb.words[0] || words.length > verb.words[1])
		return refuse(`Usage : ${command} ${`${name} ${verb.usage}`.trim()}`);
	const call = { shop, readInput, words, options: parsed.options };
	const recorded = { verb: `orders ${name}`, who: whoRuns(parsed.options.as) };
	if (!ofOrder) return runRecorded(shop, { ...recorded, subject: null }, () => (verb as Command).run(call));
	const order = await findNamed(shop, parsed.words[0] ?? "");
	if (order === null) return refuse(`La commande ${parsed.words[0]} n’existe pas.`);
	return inContext({ order: order.id }, () =>
		runRecorded(shop, { ...recorded, subject: order.order_number }, () => ofOrder.run(call, order)),
	);
}

function parse(verb: Command | OrderCommand, args: string[]): { words: string[]; options: CommandCall["options"] } | null {
	try {
		const { values, positionals } = parseArgs({ args, options: { ...verb.options, ...asOption }, allowPositionals: true, strict: true });
		return { words: positionals, options: values as CommandCall["options"] };
	} catch {
		return null; // an option that the verb does not have, or that wants a value
	}
}

/** By its number, however it is typed, or by its UUID. */
async function findNamed({ db }: Shop, typed: string): Promise<Order | null> {
	const number = parseOrderNumber(typed);
	if (number) return findOrderByReference(db, { number });
	const id = typed.trim();
	return isUuid(id) ? findOrderByReference(db, { id }) : null;
}
