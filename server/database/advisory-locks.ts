import type pg from "pg";
import { Client } from "./database.ts";

/** Keys of the advisory locks. Two uses of one key would block each other. */
export const advisoryLocks = {
	/** Held while a shop runs on the embedded database of a data folder. */
	dataFolder: 7305001,
	/** Held while a process migrates and fills the database. */
	preparation: 7305002,
	/** Held, under a limit of orders an hour, by a transaction that opens a payment. */
	places: 7305003,
	/** Held by a transaction that counts the refunds of late orders. */
	lateRefunds: 7305004,
	/** Held by a transaction that posts entries or closes a month. */
	accounts: 7305005,
} as const;

/** Locks a data folder for one shop, until this process ends and its connection with it. @returns whether no other shop has it. */
export async function lockDataFolder(connection: pg.ClientConfig): Promise<boolean> {
	const client = new Client({ ...connection });
	await client.connect();
	const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [advisoryLocks.dataFolder]);
	return rows[0].locked;
}
