import { hashPassword as hashOfBetterAuth, verifyPassword as verifyAsBetterAuth } from "better-auth/crypto";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password-hash.ts";

test("a password has the hash of better-auth, whose rows stay valid, also with another Unicode form", async () => {
	const [composed, decomposed] = ["une clé très longue", "une cle\u0301 tre\u0300s longue"];
	const hash = await hashPassword("slow", composed);
	expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
	expect(await verifyAsBetterAuth({ hash, password: decomposed })).toBe(true);
	expect(await verifyPassword("slow", decomposed, await hashOfBetterAuth(composed))).toBe(true);
});

test("only the same password at the same cost fits, and no hash is like another", async () => {
	const hash = await hashPassword("fast", "bleu42");
	expect(await hashPassword("fast", "bleu42")).not.toBe(hash);
	expect(await verifyPassword("fast", "bleu42", hash)).toBe(true);
	for (const [hashing, password, other] of [
		["fast", "bleu43", hash],
		["slow", "bleu42", hash],
		["fast", "bleu42", hash.slice(0, -2)],
		["fast", "bleu42", ""],
	] as const)
		expect(await verifyPassword(hashing, password, other)).toBe(false);
});
