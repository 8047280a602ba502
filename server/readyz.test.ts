import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { testShop } from "./test-shop.ts";

test("/readyz: a partner that takes the call and says nothing is down; the rest is told", async () => {
	const sockets: Socket[] = [];
	const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
	const { port } = silent.address() as AddressInfo;
	const shop = await testShop({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: "silent" } });
	try {
		// asked many times at once, it calls the partner once
		const answers = await Promise.all(Array.from({ length: 20 }, () => shop.ask("/readyz")));
		for (const answer of answers)
			expect({ status: answer.status, body: await answer.json() }).toEqual({
				status: 503,
				body: { ok: false, database: "ok", jobs: "ok", storage: "ok", mail: "down", payment: "ok" },
			});
		expect(sockets).toHaveLength(1);
	} finally {
		await shop.close();
		for (const socket of sockets) socket.destroy();
		silent.close();
	}
});
