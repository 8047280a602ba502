import { describe, expect, test } from "vitest";
import { countParts, TooManyParts } from "../../web/count-parts.ts";
import { readDeskForm } from "./read-desk-form.server.ts";

const boundary = "----formulaire";
const multipart = (type = `multipart/form-data; boundary=${boundary}`) => ({ "content-type": type });
const part = (name: string, value = "x") => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const encode = (parts: number) => `${Array.from({ length: parts }, (_, i) => part(`f${i}`)).join("")}--${boundary}--\r\n`;

/** A request whose body arrives in chunks of a few bytes. */
function request(body: string, headers: Record<string, string>, chunkSize = body.length): Request {
	const bytes = new TextEncoder().encode(body);
	const stream = new ReadableStream<Uint8Array>({
		start(controller) {
			for (let at = 0; at < bytes.length; at += chunkSize) controller.enqueue(bytes.slice(at, at + chunkSize));
			controller.close();
		},
	});
	return new Request("http://localhost/bureau", { method: "POST", body: stream, headers, duplex: "half" } as RequestInit);
}

const count = async (sent: Request) => [...(await readDeskForm(sent))].length;
const refusal = { init: { status: 413 }, data: expect.stringContaining("trop de champs ou de fichiers") };

describe("a form of the desk", () => {
	test.each([1, 7, 100_000])("keeps its fields and files, in chunks of %s bytes", async (size) => {
		expect(await count(request(encode(99), multipart(), size))).toBe(99);
		const form = await readDeskForm(request(`${part("text", "un\0 &\r\n--texte")}--${boundary}--\r\n`, multipart(), size));
		expect(form.get("text")).toBe("un &\r\n--texte");
		const typed = await readDeskForm(request("a=1&b=2%00&b=3", { "content-type": "application/x-www-form-urlencoded" }, size));
		expect([...typed]).toEqual([
			["a", "1"],
			["b", "2"],
			["b", "3"],
		]);
	});

	test.each([1, 7, 100_000])("is refused with too many parts, in chunks of %s bytes", async (size) => {
		await expect(count(request(encode(120), multipart(), size))).rejects.toMatchObject(refusal);
		const typed = request("a=1&".repeat(1200), { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" }, size);
		await expect(count(typed)).rejects.toMatchObject(refusal);
	});

	test.each([
		`multipart/form-data; boundary="${boundary}"`,
		`Multipart/Form-Data; x="; boundary=other"; Boundary=${boundary}; boundary=other`,
	])("is counted with the boundary that its parser reads: %s", async (type) => {
		expect(await count(request(encode(20), multipart(type)))).toBe(20);
		await expect(count(request(encode(120), multipart(type)))).rejects.toMatchObject(refusal);
	});

	test.each([["text/plain"], ["multipart/form-data"], ["multipart/form-data; boundary="], [";"], ["application/json"]])(
		"of another type has no fields: %s",
		async (type) => {
			expect(await count(request(encode(3), multipart(type)))).toBe(0);
		},
	);

	test("without an end has no fields", async () => {
		expect(await count(request(part("a"), multipart()))).toBe(0);
	});

	test("is refused without being buffered whole: what follows the last accepted part is discarded", async () => {
		const parts = countParts(`--${boundary}`, 100);
		const form = request(encode(50_000), multipart(), 4096).body as ReadableStream<Uint8Array<ArrayBuffer>>;
		let passed = 0;
		const reader = form.pipeThrough(parts).getReader();
		const readAll = async () => {
			for (let next = await reader.read(); !next.done; next = await reader.read()) passed += next.value.length;
		};
		await expect(readAll()).rejects.toBeInstanceOf(TooManyParts);
		expect(passed).toBeLessThan(encode(110).length);
	});
});
