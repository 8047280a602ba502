import pg from "pg";

/** The server of a cluster that takes writes. */
export interface Primary {
	/**
	 * Asks all hosts at once which one takes writes, or gives the answer of the last time.
	 * @throws when none does within two seconds.
	 */
	find(): Promise<{ host: string; port: number }>;
	/** The next `find` asks again: a connection to the primary failed, or it takes no writes any more. */
	forget(): void;
}

/** Milliseconds to connect to a host, and to be answered by it. */
const probeTimeout = 2000;

/**
 * Splits a URL with several hosts into one URL for each, as libpq reads it
 * (`postgres://user:password@a:5432,b:5432/shop?target_session_attrs=read-write`:
 * postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). The driver knows a single host.
 */
export function splitHosts(url: string): string[] {
	const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
	return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** A database as the shop connects to it: plain data, which also a worker thread can be given. */
export interface Connection extends pg.ClientConfig {
	/** The URL of each host, where there are several. */
	hosts?: string[];
}

/** Reads DATABASE_URL. */
export function connectionTo(url: string): Connection {
	const hosts = splitHosts(url);
	return { connectionString: hosts[0], ...(hosts.length > 1 && { hosts }) };
}

const primaries = new Map<string, Primary>();

/** The primary among hosts; a process remembers it until a connection to it fails. */
export function findPrimary(hosts: string[]): Primary {
	const key = hosts.join();
	const known = primaries.get(key) ?? watchPrimary(hosts);
	primaries.set(key, known);
	return known;
}

function watchPrimary(hosts: string[]): Primary {
	let found: ReturnType<Primary["find"]> | undefined;
	return {
		find() {
			found ??= Promise.any(hosts.map(findWritable)).catch(() => {
				found = undefined;
				throw new Error("no host of DATABASE_URL takes writes");
			});
			return found;
		},
		forget() {
			found = undefined;
		},
	};
}

/** A standby is read-only, whatever it was told (postgresql.org/docs/18/hot-standby.html). */
async function findWritable(url: string): Promise<{ host: string; port: number }> {
	const client = new pg.Client({
		connectionString: url,
		application_name: "extrait-pro primary",
		connectionTimeoutMillis: probeTimeout,
		query_timeout: probeTimeout,
	});
	client.on("error", () => {});
	try {
		await client.connect();
		const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
		if (rows[0]?.transaction_read_only !== "off") throw new Error("this host takes no writes");
		return { host: client.host, port: client.port };
	} finally {
		void client.end().catch(() => {});
	}
}
