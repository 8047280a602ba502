import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { everyPartWorks, untilReadyzAnswers } from "../../test/readiness.ts";
import { createTestShop } from "../../test/shop.ts";

test("/readyz reports a partner that accepts the connection and never responds as down", async () => {
	const sockets: Socket[] = [];
	const silent = createServer((socket) => sockets.push(socket));
	await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
	const { port } = silent.address() as AddressInfo;
	const shop = await createTestShop({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: "silent" } });
	try {
		await untilReadyzAnswers(shop.ask, 503, { ...everyPartWorks, ok: false, mail: "down" });
		// simultaneous requests share one probe
		const before = sockets.length;
		const answers = await Promise.all(Array.from({ length: 20 }, () => shop.ask("/readyz")));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
		expect(sockets.length - before).toBeLessThan(20);
	} finally {
		await shop.close();
		for (const socket of sockets) socket.destroy();
		silent.close();
	}
});
