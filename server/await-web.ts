// node server/await-web.ts 3001 [pid]: exits with 0 when the web process on that local port serves pages, with 1 after two minutes, or once
// the process with that id has ended.
import { setTimeout as wait } from "node:timers/promises";

const [port, pid] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}/healthz`;

function isRunning(id: number): boolean {
	try {
		return process.kill(id, 0);
	} catch {
		return false;
	}
}

for (let tries = 240; tries > 0; tries--) {
	const served = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
		({ ok }) => ok,
		() => false,
	);
	if (served) process.exit(0);
	if (pid !== undefined && !isRunning(Number(pid))) process.exit(1);
	await wait(500);
}
process.exit(1);
