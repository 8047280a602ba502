import type pg from "pg";
import type { Environment } from "../../server/environment/environment.ts";
import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/** The text that the operator reads at the end of a command. `ok` is false when the command was refused. */
export interface CommandResult {
	ok: boolean;
	text: string;
	/** An order number or an invoice number, for the log of commands; no personal data. */
	subject?: string;
}

/** A command of main.ts, which runs in a process beside the shop. */
export type TerminalCommand = (connection: pg.ClientConfig, args: string[], environment: Environment) => Promise<CommandResult>;

export type RefusedCommand = CommandResult & { ok: false };

export interface CommandCall {
	shop: Shop;
	/** The arguments after the command's name and the order number. */
	args: string[];
	options: Record<string, string | boolean | undefined>;
	/** Reads standard input; null when it is a terminal. */
	readInput: () => Promise<Uint8Array | null>;
}

interface CommandDescription {
	/** The arguments, as the usage shows them after the command's name. */
	usage: string;
	description: string;
	/** The number of arguments, without the order number. */
	argCount: readonly [min: number, max: number];
	options?: Record<string, { type: "string" | "boolean" }>;
}

export interface Command extends CommandDescription {
	run(call: CommandCall): Promise<CommandResult>;
}

/** A command whose first argument is an order number. It is refused while another operator has the order at the desk (docs/rules.md, R75). */
export interface OrderCommand extends CommandDescription {
	run(call: CommandCall, order: Order): Promise<CommandResult>;
}

/** Whether arguments ask how a command is used. */
export const asksForHelp = (args: readonly string[]): boolean => args.length === 1 && ["help", "--help", "-h"].includes(args[0] ?? "");

export const done = (text: string): CommandResult => ({ ok: true, text });
export const refuse = (text: string): RefusedCommand => ({ ok: false, text });
