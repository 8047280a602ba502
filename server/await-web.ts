// node server/await-web.ts 3001: exits with 0 when the web process on that local port serves pages, with 1 after two minutes.
import { setTimeout as wait } from "node:timers/promises";

const url = `http://127.0.0.1:${process.argv[2]}/healthz`;
for (let tries = 240; tries > 0; tries--) {
	const served = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
		({ ok }) => ok,
		() => false,
	);
	if (served) process.exit(0);
	await wait(500);
}
process.exit(1);
