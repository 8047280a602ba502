import type pg from "pg";
import type { Environment } from "../../server/environment.ts";
import { describeFault, openLog } from "../../server/log.ts";
import { openRuntime } from "../../server/open-runtime.ts";
import type { Runtime } from "../../server/runtime.ts";
import * as newsletterJobs from "../newsletter/jobs.ts";
import * as orderJobs from "../orders/jobs.ts";
import { wireShop } from "../wire.server.ts";
import { runNewsletterVerb } from "./newsletter-verbs.server.ts";
import { runVerb, usage } from "./run-verb.server.ts";
import { type Answer, refuse } from "./verb.ts";

type Command = (connection: pg.ClientConfig, args: string[], environment: Environment) => Promise<Answer>;

/** What verbs only send; whoever runs the shop does it. app/jobs.ts has them too, but draws mails, which Node alone cannot. */
const sentJobs = [...Object.values(orderJobs), ...Object.values(newsletterJobs)] as never[];

/** The operator's commands, by the role that main.ts is given. They work beside the running shop, whose log they leave alone. */
export const deskCommands: Record<string, Command> = {
	async orders(connection, args, environment) {
		if (args.length === 0) return refuse(usage());
		return beside(connection, environment, (runtime) => runVerb({ shop: wireShop(runtime), readInput }, args));
	},
	newsletter: (connection, args, environment) => beside(connection, environment, (runtime) => runNewsletterVerb(runtime, args)),
};

async function beside(connection: pg.ClientConfig, environment: Environment, act: (runtime: Runtime) => Promise<Answer>): Promise<Answer> {
	const { runtime, close } = await openRuntime(environment, connection, sentJobs, { supervise: false, log: openLog("silent") });
	try {
		return await act(runtime);
	} catch (error) {
		const why = describeFault(error instanceof Error ? error.message : error);
		return refuse(`La commande s’est arrêtée : ${why}\nElle peut être relancée sans rien faire deux fois.`);
	} finally {
		await close(1000);
	}
}

async function readInput(): Promise<Uint8Array | null> {
	if (process.stdin.isTTY) return null;
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}
