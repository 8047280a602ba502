import { Kysely, type KyselyConfig, type TransactionBuilder } from "kysely";
import type { Log } from "../observability/log.ts";
import type { Trx } from "./database.ts";
import type { DB } from "./database-types.gen.ts";

interface Line {
	level: "info" | "error";
	fields: Record<string, unknown>;
	message: string;
}

const pendingLinesKey = Symbol("lines after commit");

type LoggedTrx = Trx & { [pendingLinesKey]?: Line[] };

/** The shop's database. It writes the log lines of a transaction after the commit, and discards them after a rollback. */
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
			const result = await execute((trx) => work(Object.assign(trx, { [pendingLinesKey]: pending })));
			for (const { level, fields, message } of pending) this.#log[level](fields, message);
			return result;
		};
		return builder;
	}
}

/**
 * Writes a log line after the commit of a transaction. A process that dies in between writes none; the database is authoritative.
 * @throws for a transaction of another database, since its lines would be lost.
 */
export function logAfterCommit(trx: Trx, line: Line): void {
	const { [pendingLinesKey]: pending }: LoggedTrx = trx;
	if (pending === undefined) throw new Error("not a transaction of the shop's database");
	pending.push(line);
}

/**
 * Logs an order's event after the commit: `grep <id>` lists an order's events, from « created » to « deleted ».
 * @param fields no personal data: no name, address or tracking number.
 */
export function logOrderEvent(trx: Trx, orderId: string, event: string, fields: Record<string, unknown> = {}): void {
	logAfterCommit(trx, { level: "info", fields: { order: orderId, event, ...fields }, message: "an order's event" });
}
