import type pg from "pg";
import { createRuntime } from "../../server/create-runtime.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { describeFault } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { createShop } from "../create-shop.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { usage as accountsUsage, runAccountsCommand } from "./accounts/accounts-commands.server.ts";
import { type CommandResult, refuse, type TerminalCommand } from "./command.ts";
import { usage as deskUsage, runDeskCommand } from "./desk-commands.server.ts";
import { usage as newsletterUsage, runNewsletterCommand } from "./newsletter-commands.server.ts";
import { toPrintable } from "./printable-text.ts";
import { commandLog } from "./recorded-command.server.ts";
import { usage as ordersUsage, runCommand } from "./run-command.server.ts";

/** The operator's commands by the role given to main.ts. They run in a process beside the shop. */
export const terminalCommands: Record<string, { run: TerminalCommand; usage: string }> = {
	orders: createCommand(ordersUsage, (runtime, args) => runCommand({ shop: createShop(runtime), readInput }, args)),
	accounts: createCommand(accountsUsage, (runtime, args) => runAccountsCommand(createShop(runtime), args)),
	desk: createCommand(deskUsage, runDeskCommand),
	newsletter: createCommand(newsletterUsage, (runtime, args) => runNewsletterCommand({ ...runtime, readInput }, args)),
};

/** A command that reads nothing before it has a verb. */
function createCommand(usage: string, run: (runtime: Runtime, args: string[]) => Promise<CommandResult>) {
	return {
		usage,
		run: async (connection: pg.ClientConfig, args: string[], environment: Environment) =>
			args.length === 0 ? refuse(usage) : withRuntime(connection, environment, (runtime) => run(runtime, args)),
	};
}

async function withRuntime(
	connection: pg.ClientConfig,
	environment: Environment,
	run: (runtime: Runtime) => Promise<CommandResult>,
): Promise<CommandResult> {
	const { runtime, close } = await createRuntime(environment, connection, jobKinds, { supervise: false, log: commandLog(environment) });
	try {
		return await run(runtime);
	} catch (error) {
		const fault = describeFault(error instanceof Error ? error.message : error);
		return refuse(`La commande s’est arrêtée : ${toPrintable(fault)}\nElle peut être relancée sans rien faire deux fois.`);
	} finally {
		await close(1000);
	}
}

async function readInput(): Promise<Uint8Array | null> {
	if (process.stdin.isTTY) return null;
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	return Buffer.concat(chunks);
}
