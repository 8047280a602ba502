import { expect, test } from "vitest";
import { isAbortedBy } from "./http.ts";

const coded = (code: string) => Object.assign(new Error("read"), { code });

function requestOf(left: boolean): Request {
	const controller = new AbortController();
	const request = new Request("http://localhost/contact", { signal: controller.signal });
	if (left) controller.abort();
	return request;
}

test.each<[string, Error]>([
	["the signal's own word", new DOMException("This operation was aborted", "AbortError")],
	["a connection that was reset", coded("ECONNRESET")],
	["a body that was cut short", new TypeError("terminated")],
	["an error that is named so", new DOMException("stopped", "AbortError")],
	["a stream that is closed", new Error("Invalid state: The reader is closed")],
])("a client who left, and %s: no fault of ours; the same while the client waits is one", (_what, error) => {
	expect(isAbortedBy(requestOf(true), error)).toBe(true);
	expect(isAbortedBy(requestOf(false), error)).toBe(false);
});

test("what the leaving client said as the reason is no fault, whatever it is", () => {
	const controller = new AbortController();
	const request = new Request("http://localhost/", { signal: controller.signal });
	controller.abort("the tab was shut");
	expect(isAbortedBy(request, "the tab was shut")).toBe(true);
});

test.each([new Error("division by zero"), new TypeError("x is not a function"), coded("23505"), null, undefined])(
	"a fault that would have come anyway is told, although the client has left: %s",
	(error) => {
		expect(isAbortedBy(requestOf(true), error)).toBe(false);
	},
);
