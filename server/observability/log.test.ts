import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createLog, describeFault } from "./log.ts";

let lines: string[] = [];
let shop: TestShop | undefined;
const open = async (variables: Record<string, string> = {}) => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "debug", ...variables }, onLog: (line) => lines.push(line) });
	return shop;
};
beforeEach(() => {
	lines = [];
});
afterEach(async () => {
	await shop?.close();
	shop = undefined;
});

test("a request's log line has its duration in milliseconds", async () => {
	const shop = await open();
	const startedAt = performance.now();
	await shop.ask("/cgv");
	const maxMs = performance.now() - startedAt + 1;
	const { ms } = lines.map((line) => JSON.parse(line)).find(({ route }) => route === "/cgv");
	expect(ms).toSatisfy((value: number) => value >= 0 && value <= maxMs, `0 to ${maxMs}`);
});

test("the log of an order, from page to document, holds no personal data", async () => {
	const shop = await open();
	const customer = {
		email: "augusta.ada@recognisable.example",
		firstName: "Augusta",
		lastName: "Lovelace-Byron",
		address: "13 rue Reconnaissable",
	};
	const query = new URLSearchParams({ siren: "552032534", service: "express", ...customer });
	await shop.ask(`/commande?${query}`);
	await shop.ask(`/paiement?${query}`);
	await shop.postForm(`/paiement?${query}`, { acceptTerms: "on", amount: "1" });
	const placed = await shop.placeOrder({ customer });
	const resume = await shop.getResumePath(placed.payUrl);
	await shop.ask(resume);
	await shop.payByCard(placed.payUrl, "4000 0000 0000 0002");
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("completed", placed.id);
	const [mail] = await shop.getMails(placed, "document-ready");
	const document = /\/documents\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
	await shop.ask(document);
	await shop.ask(`${document}x`);
	await shop.ask(`/confirmation/${placed.sessionId}`);
	await shop.ask(`/confirmation/${placed.sessionId}.data`);
	const tracking = await shop.postForm("/suivi-commande", { email: customer.email, orderId: placed.number });
	await shop.ask(`/suivi/${placed.number}`, { headers: { cookie: tracking.headers.get("set-cookie")?.split(";")[0] ?? "" } });
	await shop.postJson("/api/suivi", { email: customer.email, orderId: placed.number });
	await shop.ask(`/nulle-part/${customer.email}?email=${customer.email}`);

	const routes = lines.map((line) => (JSON.parse(line) as { route?: string }).route);
	for (const route of ["/paiement", "/bac-a-sable/:sessionId", "/documents/:token", "/suivi-commande", "/api/suivi", "/api/stripe/webhook"])
		expect(routes).toContain(route);
	const all = lines.join("\n");
	const secrets = [
		...Object.values(customer),
		placed.number,
		placed.sessionId,
		resume,
		document,
		"4242 4242",
		"42424242",
		"suivi=",
		"127.0.0.1",
	];
	for (const secret of secrets) {
		expect(secret).toBeTruthy();
		for (const written of [secret, encodeURIComponent(secret)]) expect(all).not.toContain(written);
	}
});

/** A mail server that defers all mail and quotes the recipient, as many do. */
async function startDeferringMailServer(): Promise<{ url: string; close: () => void }> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.write("220 mail.example\r\n");
		socket.on("data", (data) => {
			for (const line of data.toString().trim().split("\r\n"))
				socket.write(/^RCPT TO:(\S+)/i.test(line) ? `450 4.2.0 ${line.slice(8)}: try again\r\n` : "250 ok\r\n");
		});
		socket.on("error", () => {});
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	return {
		url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

test("the log line of a deferred e-mail has no address", async () => {
	const mailServer = await startDeferringMailServer();
	const shop = await open({ SMTP_URL: mailServer.url });
	const placed = await shop.placeOrder({ customer: { email: "augusta.ada@recognisable.example" } });
	await shop.payByCard(placed.payUrl);
	const failure = await vi.waitFor(
		() => {
			const line = lines.find((line) => line.includes("a job failed and will be tried again"));
			if (!line) throw new Error("nothing has failed yet");
			return line;
		},
		{ timeout: scaledTimeout(20_000) },
	);
	mailServer.close();
	expect(failure).toMatch(/450 4\.2\.0 \S*…@…/);
	expect(lines.join("\n")).not.toContain("recognisable");
});

test("a line redacts personal data and URLs passed by mistake", () => {
	const log = createLog("info", { write: (line) => void lines.push(line) });
	const person = { email: "ada@example.fr", url: "/suivi/KB-2222-2222", customer: { name: "Ada" } };
	log.info({ ...person, order: person, route: "/suivi/:number" }, "something");
	log.debug("what is below the level is not written");
	const [line = ""] = lines;
	expect(lines).toHaveLength(1);
	expect(line).not.toMatch(/ada|Ada|KB-2222/);
	expect(JSON.parse(line)).toMatchObject({ level: 30, msg: "something", route: "/suivi/:number" });
	// the time is readable; host and process are absent
	expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	expect(Object.keys(JSON.parse(line))).not.toEqual(expect.arrayContaining(["hostname"]));
});

test.each([
	["550 <ada.lovelace+kbis@mail.example.fr>: no such user", "550 <…@…>: no such user"],
	["ada_l%x@a-b.co and o'neil-2@example.org", "…@… and …@…"],
	["a handle @ada and a version pg@8", "a handle @ada and a version pg@8"],
])("describeFault removes e-mail addresses from « %s »", (text, redacted) => {
	expect(describeFault(text)).toBe(redacted);
	expect(describeFault(new Error(text))).toMatch(new RegExp(`^Error: ${redacted.replace(/[.()<>]/g, "\\$&")}\n +at `));
	const withoutStack = new Error(text);
	delete withoutStack.stack;
	expect(describeFault(withoutStack)).toBe(redacted);
});
