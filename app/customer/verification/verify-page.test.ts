import { createHash } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { compareFile } from "./verify-page.tsx";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
const document = { bytes: 1000, sha256: createHash("sha256").update(bytes).digest("hex") };

test("a file with the same bytes is identical, with any name and type", async () => {
	expect(await compareFile(new Blob([bytes]), document)).toBe("identical");
	expect(await compareFile(new File([bytes], "autre.txt", { type: "text/plain" }), document)).toBe("identical");
});

test("a file with one changed bit is different, and so is a longer, shorter or empty one", async () => {
	for (const index of [0, 499, 999]) {
		const altered = bytes.with(index, (bytes[index] ?? 0) ^ 1);
		expect(await compareFile(new Blob([altered]), document), `${index}`).toBe("different");
	}
	for (const other of [bytes.slice(1), bytes.slice(0, -1), new Uint8Array(0), new Uint8Array(1001)])
		expect(await compareFile(new Blob([other]), document)).toBe("different");
});

test("a file of another size is not read", async () => {
	const large = new Blob([bytes, bytes]);
	large.arrayBuffer = () => Promise.reject(new Error("it was read"));
	expect(await compareFile(large, document)).toBe("different");
});

describe("in a browser without SHA-256", () => {
	afterEach(() => vi.unstubAllGlobals());

	test.each([{}, undefined])("a file of the same size gives « unsupported »", async (crypto) => {
		vi.stubGlobal("crypto", crypto);
		expect(await compareFile(new Blob([bytes]), document)).toBe("unsupported");
		expect(await compareFile(new Blob(["x"]), document)).toBe("different");
	});
});

test("a file that disappears before it is read gives « unreadable »", async () => {
	const movedFile = new Blob([bytes]);
	movedFile.arrayBuffer = () => Promise.reject(new DOMException("the file was moved", "NotFoundError"));
	expect(await compareFile(movedFile, document)).toBe("unreadable");
});
