import { expect, test } from "vitest";
import { createLog } from "../../server/observability/log.ts";
import {
	apiError,
	createPdfDownload,
	createPublicPdf,
	isAbortedBy,
	logFault,
	privateHeaders,
	readForm,
	readJson,
	refuseGet,
	withPrivateHeaders,
} from "./http.ts";

const createError = (code: string) => Object.assign(new Error("read"), { code });

function createRequest(clientLeft: boolean): Request {
	const controller = new AbortController();
	const request = new Request("http://localhost/contact", { signal: controller.signal });
	if (clientLeft) controller.abort();
	return request;
}

test.each<[string, Error]>([
	["the signal's reason", new DOMException("This operation was aborted", "AbortError")],
	["a reset connection", createError("ECONNRESET")],
	["a truncated body", new TypeError("terminated")],
	["an AbortError", new DOMException("stopped", "AbortError")],
	["a closed stream", new Error("Invalid state: The reader is closed")],
])("isAbortedBy is true for %s after the client left, and false while it waits", (_name, error) => {
	expect(isAbortedBy(createRequest(true), error)).toBe(true);
	expect(isAbortedBy(createRequest(false), error)).toBe(false);
});

test("isAbortedBy is true for the signal's reason of any type", () => {
	const controller = new AbortController();
	const request = new Request("http://localhost/", { signal: controller.signal });
	controller.abort("the tab was shut");
	expect(isAbortedBy(request, "the tab was shut")).toBe(true);
});

test.each([new Error("division by zero"), new TypeError("x is not a function"), createError("23505"), null, undefined])(
	"isAbortedBy is false for %s, even after the client left",
	(error) => {
		expect(isAbortedBy(createRequest(true), error)).toBe(false);
	},
);

test("a response with personal data has its headers beside its cookies", () => {
	const headers = withPrivateHeaders(["a=1", "b=2"]);
	expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
	headers.delete("set-cookie");
	expect(Object.fromEntries(headers)).toEqual(privateHeaders);
});

test("a PDF is a download of its length: one of a customer is stored nowhere, a public one for a year", async () => {
	const pdf = { bytes: new TextEncoder().encode("%PDF-1.7"), fileName: "Extrait.pdf" };
	const usual = { "content-type": "application/pdf", "content-length": "8", "x-robots-tag": "noindex" };
	const own = createPdfDownload(pdf);
	const everybodys = createPublicPdf(pdf);
	expect(Object.fromEntries(own.headers)).toMatchObject({
		...usual,
		"cache-control": "no-store",
		"cross-origin-resource-policy": "same-origin",
	});
	expect(Object.fromEntries(everybodys.headers)).toMatchObject({ ...usual, "cache-control": "public, max-age=31536000, immutable" });
	for (const answer of [own, everybodys]) {
		expect(answer.headers.get("content-disposition")).toMatch(/^attachment;.*Extrait\.pdf/);
		expect(await answer.text()).toBe("%PDF-1.7");
	}
});

test("an error of the API is a sentence in JSON that no cache keeps", async () => {
	const error = apiError(404, "Cette adresse n’existe pas.");
	expect([error.status, error.headers.get("cache-control"), await error.json()]).toEqual([
		404,
		"no-store",
		{ error: "Cette adresse n’existe pas." },
	]);
	const refusal = refuseGet();
	expect([refusal.status, refusal.headers.get("allow"), await refusal.json()]).toEqual([
		405,
		"POST",
		{ error: "Cette adresse n’accepte que POST." },
	]);
});

test("a body whose client left, or that is no form or no JSON, has nothing", async () => {
	const send = (body: BodyInit, type = "application/x-www-form-urlencoded") =>
		new Request("http://localhost/", { method: "POST", body, headers: { "content-type": type }, duplex: "half" } as RequestInit);
	const broken = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
	const names = async (request: Request) => [...(await readForm(request)).keys()];
	expect(await names(send("a=1&b=2"))).toEqual(["a", "b"]);
	expect(await names(send("a=1&b=2", "text/plain"))).toEqual([]);
	expect(await names(send(broken()))).toEqual([]);
	expect(await names(send("a=1", "multipart/form-data; boundary=x"))).toEqual([]);
	expect([await readJson(send('{"a":1}')), await readJson(send("{")), await readJson(send(broken()))]).toEqual([{ a: 1 }, null, null]);
});

test("a fault is logged without addresses and gives null, but an unavailable database stays an error", () => {
	const lines: Record<string, unknown>[] = [];
	const catchFault = logFault({ log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }) }, "the search failed");
	expect(catchFault(new Error("ada@example.fr is unknown"))).toBeNull();
	expect(lines).toMatchObject([{ level: 50, msg: "the search failed", error: expect.stringContaining("…@… is unknown") }]);
	const away = Object.assign(new Error("terminating"), { code: "57P01" });
	expect(() => catchFault(away)).toThrow(away);
	expect(lines).toHaveLength(1);
});
