import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { maxExtractBytes } from "../../orders/documents/extract-size.ts";
import { lookUpFile } from "./verify-file-page.tsx";

afterEach(() => vi.unstubAllGlobals());

/** Replaces the network. @returns the requests that were sent. */
function stubNetwork(answer: () => Promise<Response>): unknown[][] {
	const requests: unknown[][] = [];
	vi.stubGlobal("fetch", (...request: unknown[]) => {
		requests.push(request);
		return answer();
	});
	return requests;
}

const file = new Blob(["%PDF-1.7"]);

test("only the hash of the file is sent", async () => {
	const origin = { known: true, deliveredOn: "2026-11-22", replacedOn: null };
	const requests = stubNetwork(async () => Response.json(origin));
	expect(await lookUpFile(file)).toEqual({ ok: true, origin });
	expect(requests).toEqual([[`/api/verifier?empreinte=${createHash("sha256").update("%PDF-1.7").digest("hex")}`]]);
});

test("a file larger than any extract is unknown; it is not read", async () => {
	const requests = stubNetwork(() => Promise.reject(new Error("it was sent")));
	const film = new Blob([new Uint8Array(maxExtractBytes + 1)]);
	film.arrayBuffer = () => Promise.reject(new Error("it was read"));
	expect(await lookUpFile(film)).toEqual({ ok: true, origin: { known: false } });
	expect(requests).toEqual([]);
	await lookUpFile(new Blob([new Uint8Array(maxExtractBytes)]));
	expect(requests).toHaveLength(1);
});

test("each failure has its code", async () => {
	stubNetwork(async () => Response.json({ error: "…" }, { status: 429 }));
	expect(await lookUpFile(file)).toEqual({ ok: false, code: "limited" });
	stubNetwork(async () => Response.json({ error: "…" }, { status: 503 }));
	expect(await lookUpFile(file)).toEqual({ ok: false, code: "failed" });
	stubNetwork(async () => new Response("<html>"));
	expect(await lookUpFile(file)).toEqual({ ok: false, code: "failed" });
	stubNetwork(() => Promise.reject(new TypeError("Failed to fetch")));
	expect(await lookUpFile(file)).toEqual({ ok: false, code: "failed" });
	vi.stubGlobal("crypto", {});
	expect(await lookUpFile(file)).toEqual({ ok: false, code: "unsupported" });
});
