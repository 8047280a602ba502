import { expect, test } from "vitest";
import { limitConcurrency, limitWaiting } from "./limit-concurrency.ts";

/** Calls that end when the test says so. */
function createCalls() {
	const started: string[] = [];
	const ends = new Map<string, (error?: Error) => void>();
	const call = (name: string) => () => {
		started.push(name);
		return new Promise<string>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve(name))));
	};
	return { started, call, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

test("so many calls run at once, and the others as places become free, in their order", async () => {
	const { started, call, end } = createCalls();
	const inTurn = limitConcurrency(2);
	const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => inTurn(call(name)));
	expect(started).toEqual(["a", "b"]);
	end("b", new Error("broken"));
	await expect(b).rejects.toThrow("broken");
	const e = inTurn(call("e"));
	await Promise.resolve();
	expect(started).toEqual(["a", "b", "c"]);
	end("a");
	expect(await a).toBe("a");
	end("c");
	expect(await c).toBe("c");
	for (const name of ["d", "e"]) end(name);
	expect([await d, await e]).toEqual(["d", "e"]);
	void inTurn(call("f"));
	void inTurn(call("g"));
	void inTurn(call("h"));
	expect(started).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});

test("a call gets null while as many wait as may", async () => {
	const { started, call, end } = createCalls();
	const inTurn = limitWaiting(1, 1);
	const [a, b, c] = ["a", "b", "c"].map((name) => inTurn(call(name)));
	expect(await c).toBeNull();
	end("a", new Error("broken"));
	await expect(a).rejects.toThrow("broken");
	const d = inTurn(call("d"));
	expect(await inTurn(call("e"))).toBeNull();
	expect(started).toEqual(["a", "b"]);
	end("b");
	expect(await b).toBe("b");
	end("d");
	expect(await d).toBe("d");
	expect(started).toEqual(["a", "b", "d"]);
});
