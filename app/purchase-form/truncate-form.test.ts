import { expect, test } from "vitest";
import { isTruncated, truncateForm } from "./truncate-form.ts";

const boundary = "----x";
const body = `--${boundary}\r\nContent-Disposition: form-data; name="entreprises"\r\n\r\n552032534\r\n--${boundary}\r\nContent-Disposition: form-data; name="fichier"; filename="a.csv"\r\n\r\n${"y".repeat(500)}`;
const beginning = body.indexOf("yyy") + 20;

function request(sent: BodyInit | null, type = `multipart/form-data; boundary="${boundary}"`, headers: Record<string, string> = {}) {
	return new Request("http://shop.example/commande/plusieurs", {
		method: "POST",
		body: sent,
		headers: { "content-type": type, ...headers },
	});
}

/** A body that comes in pieces. */
const inPieces = (text: string, size: number) =>
	new ReadableStream({
		start(controller) {
			for (let at = 0; at < text.length; at += size) controller.enqueue(new TextEncoder().encode(text.slice(at, at + size)));
			controller.close();
		},
	});

test.each([1, 7, body.length])("a form is kept up to its limit, in pieces of %d bytes, and can be read", async (size) => {
	const sent = new Request("http://shop.example/commande/plusieurs", {
		...{ method: "POST", body: inPieces(body, size), duplex: "half" },
		headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": "9999" },
	} as RequestInit);
	const truncated = await truncateForm(sent, beginning, 9999);
	if (truncated === null) throw new Error("it is a form");
	expect([truncated.method, truncated.url, truncated.headers.get("content-length")]).toEqual([
		...["POST", "http://shop.example/commande/plusieurs", null],
	]);
	expect([isTruncated(sent), isTruncated(truncated)]).toEqual([false, true]);
	const text = await truncated.clone().text();
	expect(text).toBe(`${body.slice(0, beginning)}\r\n--${boundary}--\r\n`);
	expect((await truncated.formData()).get("entreprises")).toBe("552032534");
});

test("a body that is no form with files, is empty or too long is not read", async () => {
	expect(await truncateForm(request(body, "application/x-www-form-urlencoded"), 10, 9999)).toBeNull();
	expect(await truncateForm(request(body, "multipart/form-data"), 10, 9999)).toBeNull();
	expect(await truncateForm(request(null), 10, 9999)).toBeNull();
	expect(await truncateForm(request(body, undefined, { "content-length": "10000" }), 10, 9999)).toBeNull();
});
