import { globSync, readFileSync } from "node:fs";
import { UNSAFE_ErrorResponseImpl as ErrorResponse, type ShouldRevalidateFunctionArgs } from "react-router";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isMissingNetwork, isShutOut, keepPage, keepUnsent } from "./keep-page.ts";
import { askToKeep, findReasonToKeep, type ReadingFailed, type Results } from "./keep-reading.ts";

afterEach(() => vi.unstubAllGlobals());

/** Pages of signed-in operators that read data. The doors have nothing to keep, and the page of an upload reads nothing. */
const pages = globSync("app/routes/desk/**/*.tsx").filter((path) => !/doors\/(?!access)|order\/extract/.test(path));

test.each(pages)("%s stays as it is when a form was not read", (path) => {
	expect(readFileSync(path, "utf8")).toMatch(/keepPage as shouldRevalidate|shouldRevalidate = ([^;]*keepPage\(args\)|\(\) => false)/);
});

const refusal = { sentence: "Il vous faut le rôle.", back: { url: "/bureau", label: "Revenir au bureau" } };
const missingRole = new ErrorResponse(403, "", refusal);
const toSignIn = new Response(null, { status: 302, headers: { location: "/bureau/connexion?vers=%2Fbureau" } });
const noNetwork = new TypeError("Failed to fetch");

describe("the data of a page", () => {
	const isReadAgain = (values: Partial<ShouldRevalidateFunctionArgs>) => {
		const url = new URL("http://localhost/bureau/commandes?liste=express");
		return keepPage({ currentUrl: url, nextUrl: url, defaultShouldRevalidate: true, ...values } as ShouldRevalidateFunctionArgs);
	};

	test("are read again after a form, unless it was not read or leads to another page", () => {
		vi.stubGlobal("navigator", { onLine: true });
		expect(isReadAgain({})).toBe(true);
		expect(isReadAgain({ actionResult: { text: "C’est fait." } })).toBe(true);
		expect(isReadAgain({ defaultShouldRevalidate: false })).toBe(false);
		expect(isReadAgain({ actionResult: { unsent: "offline" } })).toBe(false);
		expect(isReadAgain({ actionResult: { page: "/bureau" } })).toBe(false);
	});

	test("are not read without network, but those of another page always are", () => {
		vi.stubGlobal("navigator", { onLine: false });
		expect(isReadAgain({})).toBe(false);
		const [path, query] = ["/bureau/fichiers?liste=express", "/bureau/commandes?liste=standard"];
		for (const address of [path, query]) {
			const elsewhere = { nextUrl: new URL(address, "http://localhost"), actionResult: { unsent: "offline" } };
			expect(isReadAgain(elsewhere), address).toBe(true);
			expect(isReadAgain({ ...elsewhere, defaultShouldRevalidate: false }), address).toBe(false);
		}
	});
});

describe("a form that was not read", () => {
	const send = (error: unknown) =>
		keepUnsent(
			() => Promise.reject(error),
			(why) => ({ text: why }),
		);

	test("leaves the page as it is: without network, and for who was shut out", async () => {
		vi.stubGlobal("document", {});
		expect(await send(noNetwork)).toEqual({ text: "offline", unsent: "offline" });
		for (const error of [missingRole, toSignIn]) expect(await send(error)).toEqual({ text: "shut-out", unsent: "shut-out" });
		const broken = new Error("broken");
		await expect(send(broken)).rejects.toBe(broken);
		expect(
			await keepUnsent(
				async () => "done",
				() => ({}),
			),
		).toBe("done");
	});

	test("has not reached the server only in a browser, by a TypeError of Fetch or without network", () => {
		expect(isMissingNetwork(noNetwork)).toBe(false);
		vi.stubGlobal("document", {});
		vi.stubGlobal("navigator", { onLine: true });
		for (const message of ["Failed to fetch", "NetworkError when attempting", "Load failed"])
			expect(isMissingNetwork(new TypeError(message)), message).toBe(true);
		expect(isMissingNetwork(new TypeError("x is not a function"))).toBe(false);
		expect(isMissingNetwork(new Error("Failed to fetch"))).toBe(false);
		vi.stubGlobal("navigator", { onLine: false });
		expect(isMissingNetwork(new TypeError("x is not a function"))).toBe(true);
		expect(isMissingNetwork(new Error("Failed to fetch"))).toBe(false);
	});

	test("was answered with the sign-in or with the missing role by who shuts out", () => {
		expect([missingRole, toSignIn].map(isShutOut)).toEqual([true, true]);
		const elsewhere = new Response(null, { status: 302, headers: { location: "/bureau/commandes" } });
		const others = [new ErrorResponse(403, "", "Non"), new ErrorResponse(404, "", refusal), elsewhere, new Response(), new Error("x")];
		expect(others.map(isShutOut)).toEqual(others.map(() => false));
	});
});

describe("a reading that failed", () => {
	const data = (result: unknown) => ({ type: "data", result }) as const;
	const error = (result: unknown) => ({ type: "error", result }) as const;
	const why = (results: Results, typed = false) => findReasonToKeep(results, () => typed);

	test("keeps the page, unless it is gone, leads elsewhere, or nothing was typed when its operator was shut out", () => {
		expect(why({ a: error(new Error("x")), b: data(1) })).toBe("failed");
		for (const result of [missingRole, toSignIn])
			expect([why({ a: error(new Error("x")), b: error(result) }, true), why({ b: error(result) })]).toEqual(["shut-out", null]);
		for (const result of [new Response(), new ErrorResponse(404, "", ""), new ErrorResponse(410, "", "")])
			expect(why({ a: error(new Error("x")), b: error(result) }, true)).toBeNull();
		expect(why({ a: error(new ErrorResponse(500, "", "")) })).toBe("failed");
		expect(why({ a: data(new Response()), b: error(new Error("x")) })).toBe("failed");
	});

	test("asks the open page, whose answer counts", async () => {
		const results: Results = { a: data(1), b: error(new Error("x")) };
		const kept: Results = { a: data(2) };
		const asked: ReadingFailed[] = [];
		vi.stubGlobal("dispatchEvent", (event: ReadingFailed) => asked.push(event));
		const read = (given: Results, init: RequestInit = {}) => {
			const request = new Request("http://localhost/bureau/commandes?liste=express", init);
			return askToKeep({ request } as Parameters<typeof askToKeep>[0], async () => given);
		};
		expect(await read({ a: data(1) })).toEqual({ a: data(1) });
		expect(await read(results, { method: "POST" })).toBe(results);
		expect(await read(results, { signal: AbortSignal.abort() })).toBe(results);
		expect(asked).toEqual([]);
		expect(await read(results)).toBe(results);
		expect(asked).toMatchObject([{ type: "reading-failed", address: "/bureau/commandes?liste=express", results }]);
		vi.stubGlobal("dispatchEvent", (event: ReadingFailed) => {
			event.kept = kept;
		});
		expect(await read(results)).toBe(kept);
	});
});
