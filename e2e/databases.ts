import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { adminDatabase, toDatabaseUrl, withClient } from "../test/postgres.ts";

// One PostgreSQL server has the databases of all shops of a run: starting one for each shop costs four seconds of processor time.

/** The data folder of the shared shop. The server's files are there too. */
export const dataDir = process.env.E2E_PORT ? `.data/e2e-${process.env.E2E_PORT}` : ".data/e2e";

/** The database of the shared shop. */
export const sharedDatabase = "shop";

/** Tells the other processes of the run how to connect. */
const serverFile = join(dataDir, "database-server.json");

type Connection = pg.ClientConfig & { database: string };

/** @param connection to the server; its database is the template of the others. */
export const announceServer = (connection: Connection): void => writeFileSync(serverFile, JSON.stringify(connection));

const readServer = (): Connection => JSON.parse(readFileSync(serverFile, "utf8"));

/** The connection to a database of the server. */
export const connectionTo = (database: string): Connection => ({ ...readServer(), database });

/** Creates the database of a shop after its first start. */
export async function createDatabase(name: string): Promise<Connection> {
	await administer(`create database ${name} template ${readServer().database} strategy file_copy`);
	return connectionTo(name);
}

export const dropDatabase = ({ database }: Connection): Promise<void> => administer(`drop database ${database} with (force)`);

const administer = (statement: string): Promise<void> =>
	withClient(connectionTo(adminDatabase), async (client) => void (await client.query(statement)));

/** The key with which all shops of a run sign. */
export const secret = "a secret of the browser tests that is long enough to sign";

/** The environment of a shop and of its commands. */
export const shopEnvironment = (folder: string, connection: Connection) => ({
	DATA_DIR: folder,
	DATABASE_URL: toDatabaseUrl(connection),
	APP_SECRET: secret,
	LOG_LEVEL: "error",
});
