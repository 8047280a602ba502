import pg from "pg";

/** The server of a cluster that accepts writes. */
export interface Primary {
	/**
	 * Asks all hosts at once which one accepts writes, and remembers the result.
	 * @throws when none answers so within two seconds.
	 */
	find(): Promise<{ host: string; port: number }>;
	/** Makes the next `find` ask again, after a failed connection or a refused write. */
	invalidate(): void;
}

/** Milliseconds to connect to a host, and again for its answer. */
const probeTimeoutMs = 2000;

/**
 * Splits a URL with several hosts into one URL per host, as libpq reads it
 * (`postgres://user:password@a:5432,b:5432/shop?target_session_attrs=read-write`:
 * postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). The driver knows a single host.
 */
export function splitHosts(url: string): string[] {
	const [, prefix = "", hosts = "", suffix = ""] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
	return hosts.split(",").map((host) => `${prefix}${host}${suffix}`);
}

/** Plain data, so that it can be passed to a worker thread. */
export interface Connection extends pg.ClientConfig {
	/** The URLs of all hosts, if there are several. */
	hosts?: string[];
}

/** Parses DATABASE_URL. */
export function parseDatabaseUrl(url: string): Connection {
	const hosts = splitHosts(url);
	return { connectionString: hosts[0], ...(hosts.length > 1 && { hosts }) };
}

const primaries = new Map<string, Primary>();

/** Returns the primary of a cluster; a process has one object per cluster. */
export function findPrimary(hosts: string[]): Primary {
	const key = hosts.join();
	const primary = primaries.get(key) ?? createPrimary(hosts);
	primaries.set(key, primary);
	return primary;
}

function createPrimary(hosts: string[]): Primary {
	let search: ReturnType<Primary["find"]> | undefined;
	return {
		find() {
			search ??= Promise.any(hosts.map(checkWritable)).catch(() => {
				search = undefined;
				throw new Error("no host of DATABASE_URL takes writes");
			});
			return search;
		},
		invalidate() {
			search = undefined;
		},
	};
}

/** A standby is always read-only (postgresql.org/docs/18/hot-standby.html). */
async function checkWritable(url: string): Promise<{ host: string; port: number }> {
	const client = new pg.Client({
		connectionString: url,
		application_name: "extrait-pro primary",
		connectionTimeoutMillis: probeTimeoutMs,
		query_timeout: probeTimeoutMs,
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
