/** Loaded before a measured program: answers « usage » with what its process has used so far, and ends with its parent. */
export interface Usage {
	/** User and system time of all threads, in milliseconds. */
	cpu: number;
	/** Resident memory, in bytes. */
	resident: number;
	/** The most there was, in bytes. */
	peak: number;
}

export function usage(): Usage {
	const { user, system } = process.cpuUsage();
	return { cpu: (user + system) / 1000, resident: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 };
}

if (process.send) {
	process.on("message", (asked) => asked === "usage" && process.send?.(usage()));
	process.on("disconnect", () => process.exit());
	process.channel?.unref();
}
