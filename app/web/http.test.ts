import { expect, test } from "vitest";
import { isAbortedBy } from "./http.ts";

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
