import { Kysely, type KyselyConfig, type TransactionBuilder } from "kysely";
import type { Log } from "../observability/log.ts";
import type { Trx } from "./database.ts";
import type { DB } from "./database-types.gen.ts";

interface Line {
	level: "info" | "error";
	fields: Record<string, unknown>;
	message: string;
}

/** Under a key of the whole process: the build has a copy of this file, and its stores write in transactions of main.ts's database. */
const lines = Symbol.for("extrait-pro lines after commit");

/** The shop's database: what a transaction has to say to the log is written once it is committed, and not at all when it is rolled back. */
export class LoggingKysely extends Kysely<DB> {
	readonly #log: Log;

	constructor(config: KyselyConfig, log: Log) {
		super(config);
		this.#log = log;
	}

	override transaction(): TransactionBuilder<DB> {
		const builder = super.transaction();
		const execute = builder.execute.bind(builder);
		builder.execute = async (work) => {
			const pending: Line[] = [];
			const result = await execute((trx) => work(Object.assign(trx, { [lines]: pending })));
			for (const { level, fields, message } of pending) this.#log[level](fields, message);
			return result;
		};
		return builder;
	}
}

/**
 * Has a line written as soon as the transaction is committed. A process that dies in between writes none: the database is what counts.
 * @throws for a transaction of another database than the shop’s own: its lines would be lost.
 */
export function logAfterCommit(trx: Trx, line: Line): void {
	const pending = (trx as { [lines]?: Line[] })[lines];
	if (pending === undefined) throw new Error("not a transaction of the shop's database");
	pending.push(line);
}

/**
 * Tells the log what became of an order, once it is committed: `grep <its id>` reads its life, from « created » to « deleted ».
 * @param facts without personal data: no name, address, tracking number.
 */
export function logOrderEvent(trx: Trx, orderId: string, event: string, facts: Record<string, unknown> = {}): void {
	logAfterCommit(trx, { level: "info", fields: { order: orderId, event, ...facts }, message: "an order's event" });
}
