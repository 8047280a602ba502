import type { Order } from "../orders/order.ts";
import type { Shop } from "../shop.ts";

/** What the operator reads at the end of a command. `ok` is false where it did not do what was asked. */
export interface CommandResult {
	ok: boolean;
	text: string;
	/** An order's number or an invoice's, for the log of commands; nothing about a customer. */
	subject?: string;
}

export type RefusedCommand = CommandResult & { ok: false };

export interface CommandCall {
	shop: Shop;
	/** What follows the verb, the order's number left out. */
	words: string[];
	options: Record<string, string | boolean | undefined>;
	/** What was piped in; null when nothing is. */
	readInput: () => Promise<Uint8Array | null>;
}

interface Described {
	/** What follows the verb's name. */
	usage: string;
	does: string;
	/** How many words may follow, the order's number not counted. */
	words: readonly [least: number, most: number];
	options?: Record<string, { type: "string" | "boolean" }>;
}

export interface Command extends Described {
	run(call: CommandCall): Promise<CommandResult>;
}

/** A verb whose first word is an order's number. */
export interface OrderCommand extends Described {
	run(call: CommandCall, order: Order): Promise<CommandResult>;
}

export const done = (text: string): CommandResult => ({ ok: true, text });
export const refuse = (text: string): RefusedCommand => ({ ok: false, text });
