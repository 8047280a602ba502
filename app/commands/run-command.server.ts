import { parseArgs } from "node:util";
import { inContext } from "../../server/observability/request-context.ts";
import { isUuid } from "../../server/uuid.ts";
import { formatHour } from "../catalogue/instants.ts";
import { findHolder } from "../fulfilment/claims/claim-order.server.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrderByReference } from "../orders/orders.store.server.ts";
import type { Shop } from "../shop.ts";
import { alignColumns } from "./columns.ts";
import { asksForHelp, type Command, type CommandCall, type CommandResult, done, type OrderCommand, refuse } from "./command.ts";
import { erase, exportData } from "./privacy-commands.server.ts";
import { reconcile } from "./reconcile-command.server.ts";
import { moveInvoicesCommand, recreate } from "./restore-commands.server.ts";
import { asOption, getOperatorName, runRecordedCommand } from "./run-recorded-command.server.ts";
import { list, post, receive, upload } from "./serving-commands.server.ts";

/** What scripts and the restore of a database need; the rest of an operator's work is at the desk (docs/decisions/0059-what-the-terminal-keeps.md). */
const orderCommands: Record<string, OrderCommand> = { upload, post };
const otherCommands: Record<string, Command> = {
	list,
	receive,
	reconcile,
	recreate,
	"move-invoices": moveInvoicesCommand,
	export: exportData,
	erase,
};

const commandLine = "npm run orders --";

const recordingNotice = "Chaque verbe est noté au journal, avec --as <nom> ou, sans cette option, l’utilisateur du système.";

/** The help text of `npm run orders`. */
export const usage = formatUsage();

function formatUsage(): string {
	const rows = ["list", ...Object.keys(orderCommands), ...Object.keys(otherCommands).filter((name) => name !== "list")].map((name) => {
		const command = orderCommands[name] ?? otherCommands[name];
		return [`${name} ${command?.usage ?? ""}`.trim(), command?.description ?? ""];
	});
	const lines = rows.map(([usage = "", description = ""]) => [`${usage}\n      ${description}`]);
	return `Usage : ${commandLine} <verbe> …\n\n${alignColumns(lines, "  ")}\n\n${recordingNotice}`;
}

/** Runs and records an operator's command. @returns the text for the terminal, also for a refusal or wrong usage. */
export async function runCommand(
	{ shop, readInput }: { shop: Shop; readInput: CommandCall["readInput"] },
	[name, ...rest]: readonly string[],
): Promise<CommandResult> {
	const orderCommand = name !== undefined && Object.hasOwn(orderCommands, name) ? orderCommands[name] : undefined;
	const otherCommand = name !== undefined && Object.hasOwn(otherCommands, name) ? otherCommands[name] : undefined;
	const command = orderCommand ?? otherCommand;
	if (command === undefined) return refuse(name === undefined ? usage : `« ${name} » n’est pas un verbe.\n\n${usage}`);
	const ownUsage = `Usage : ${commandLine} ${`${name} ${command.usage}`.trim()}`;
	if (asksForHelp(rest)) return done(`${ownUsage}\n      ${command.description}`);
	const parsed = parse(command, rest);
	const args = parsed && (orderCommand ? parsed.args.slice(1) : parsed.args);
	const [min, max] = command.argCount;
	if (!parsed || !args || (orderCommand && parsed.args.length === 0) || args.length < min || args.length > max) return refuse(ownUsage);
	const call = { shop, readInput, args, options: parsed.options };
	const record = { verb: `orders ${name}`, who: getOperatorName(parsed.options.as) };
	if (!orderCommand) return runRecordedCommand(shop, { ...record, subject: null }, () => (command as Command).run(call));
	const order = await findOrderByArgument(shop, parsed.args[0] ?? "");
	if (order === null) return refuse(`La commande ${parsed.args[0]} n’existe pas.`);
	return inContext({ order: order.id }, () =>
		runRecordedCommand(shop, { ...record, subject: order.order_number }, () => runUnlessHeld(orderCommand, call, order)),
	);
}

/** Runs a command on an order, unless somebody else has the order at the desk. */
async function runUnlessHeld(command: OrderCommand, call: CommandCall, order: Order): Promise<CommandResult> {
	const claim = await findHolder(call.shop.db, order.id, call.shop.now());
	if (claim === null || claim.operatorName === getOperatorName(call.options.as)) return command.run(call, order);
	return refuse(`${claim.operatorName} s’occupe de cette commande jusqu’à ${formatHour(claim.expiresAt)}, au bureau.`);
}

function parse(command: Command | OrderCommand, rest: string[]): { args: string[]; options: CommandCall["options"] } | null {
	try {
		const { values, positionals } = parseArgs({
			args: rest,
			options: { ...command.options, ...asOption },
			allowPositionals: true,
			strict: true,
		});
		return { args: positionals, options: values };
	} catch {
		return null; // an unknown option, or one without its value
	}
}

/** Finds an order by its number, in any spelling, or by its UUID. */
async function findOrderByArgument({ db }: Shop, argument: string): Promise<Order | null> {
	const number = parseOrderNumber(argument);
	if (number) return findOrderByReference(db, { number });
	const id = argument.trim();
	return isUuid(id) ? findOrderByReference(db, { id }) : null;
}
