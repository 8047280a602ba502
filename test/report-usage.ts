/** Preloaded into a measured program: answers the message « usage » with its CPU and memory, and ends with its parent. */
export interface Usage {
	/** User and system time of all threads, in milliseconds. */
	cpu: number;
	/** Resident memory, in bytes. */
	resident: number;
	/** Highest resident memory, in bytes. */
	peak: number;
}

export function measureUsage(): Usage {
	const { user, system } = process.cpuUsage();
	return { cpu: (user + system) / 1000, resident: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 };
}

if (process.send) {
	process.on("message", (message) => message === "usage" && process.send?.(measureUsage()));
	process.on("disconnect", () => process.exit());
	process.channel?.unref();
}
