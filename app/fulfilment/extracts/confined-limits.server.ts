import { Worker } from "node:worker_threads";

const maxMemoryBytes = 512 * 2 ** 20; // bytes; V8's limit does not count buffers

/** Ends this process when it has used too much memory, or the processor time of its first argument in milliseconds. */
export function watchLimits(): void {
	const maxCpuMs = Number(process.argv[2]);
	// measures processor time, because on a busy machine the clock would end good files as well
	const watch = `setInterval(() => {
		const { user, system } = process.cpuUsage();
		if (process.memoryUsage.rss() > ${maxMemoryBytes} || user + system > ${maxCpuMs * 1000}) process.kill(process.pid, "SIGKILL");
	}, 10)`;
	new Worker(watch, { eval: true }).unref();
}
