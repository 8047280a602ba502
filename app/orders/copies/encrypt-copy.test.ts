import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { decryptCopy, encryptCopy, getCurrentKeyId, type KeySource } from "./encrypt-copy.server.ts";

const [first, second, third] = [1, 2, 3].map(() => randomBytes(32).toString("hex")) as [string, string, string];
const keys = (orderCopyKeys: string[], secrets: string[] = []): KeySource => ({ orderCopyKeys, secrets });
const name = "orders/0198c0de-0000-7000-8000-000000000001";
const text = "Ada Lovelace, 1 rue de la Paix · 59,00 €";

test("a copy is decrypted with its key and contains no plain text", () => {
	const copy = encryptCopy(keys([first]), name, text);
	expect(decryptCopy(keys([first]), name, copy)).toBe(text);
	expect(copy.toString("latin1")).not.toMatch(/Ada|Paix|Lovelace/);
	expect(copy.toString("latin1")).not.toContain(first.slice(0, 8));
	expect(decryptCopy(keys([first]), name, encryptCopy(keys([first]), name, ""))).toBe("");
});

test("the same text is encrypted differently each time", () => {
	expect(encryptCopy(keys([first]), name, text).equals(encryptCopy(keys([first]), name, text))).toBe(false);
});

test("a copy is not decrypted under another order's name", () => {
	expect(decryptCopy(keys([first]), `${name.slice(0, -1)}2`, encryptCopy(keys([first]), name, text))).toBeNull();
});

test("a copy that was altered or truncated anywhere is not decrypted", () => {
	const copy = encryptCopy(keys([first]), name, text);
	for (let place = 0; place < copy.length; place++) {
		const altered = Buffer.from(copy);
		altered[place] = (altered[place] ?? 0) ^ 1;
		expect(decryptCopy(keys([first]), name, altered), `byte ${place}`).toBeNull();
	}
	for (let length = 0; length < copy.length; length++) expect(decryptCopy(keys([first]), name, copy.subarray(0, length))).toBeNull();
});

test("the first key encrypts, all decrypt: ORDER_COPY_KEY before APP_SECRET", () => {
	const old = encryptCopy(keys([first]), name, text);
	expect(decryptCopy(keys([second, first]), name, old)).toBe(text);
	expect(decryptCopy(keys([second]), name, old)).toBeNull();
	expect(decryptCopy(keys([second]), name, encryptCopy(keys([second, first]), name, text))).toBe(text);
	expect(decryptCopy(keys([], [third]), name, encryptCopy(keys([], [third]), name, text))).toBe(text);
	// ORDER_COPY_KEY set later: earlier copies are still decrypted
	expect(decryptCopy(keys([first], [third]), name, encryptCopy(keys([], [third]), name, text))).toBe(text);
	expect(decryptCopy(keys([first]), name, encryptCopy(keys([first], [third]), name, text))).toBe(text);
});

test("the key id depends on the key only", () => {
	expect(getCurrentKeyId(keys([first]))).toMatch(/^[0-9a-f]{8}$/);
	expect(getCurrentKeyId(keys([first, second], [third]))).toBe(getCurrentKeyId(keys([first])));
	expect(getCurrentKeyId(keys([second]))).not.toBe(getCurrentKeyId(keys([first])));
	expect(() => getCurrentKeyId(keys([]))).toThrow("need a key");
});
