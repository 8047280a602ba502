import { globSync, readFileSync } from "node:fs";
import { UNSAFE_ErrorResponseImpl as ErrorResponse, type ShouldRevalidateFunctionArgs } from "react-router";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isMissingNetwork, isShutOut, keepPage, keepUnsent } from "./keep-page.ts";
import { askToKeep, findReasonToKeep, type ReadingFailed, type Results } from "./keep-reading.ts";

afterEach(() => vi.unstubAllGlobals());

/** Pages of signed-in operators that read data. Those of the sign-in have nothing to keep, and the page of an upload reads nothing. */
const pages = globSync("app/desk/**/*.tsx").filter(
	(path) => readFileSync(path, "utf8").includes("./+types/") && !/sign-in\/|order\/extract/.test(path),
);

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
			(why, sentence) => ({ text: `${why}: ${sentence}` }),
		);
	const shutOut =
		"shut-out: Votre session est terminée, ou un rôle vous a été retiré. Rien n’est changé\u00a0: connectez-vous dans un autre onglet, puis recommencez ici.";
	const unknown = "failed: Une erreur est survenue de notre côté. Recommencez dans un instant.";
	const silent = "failed: Le serveur ne répond pas pour le moment. Recommencez dans un instant.";

	test.each<[string, unknown, string]>([
		["no network", noNetwork, "offline: Pas de réseau. Rien n’est changé\u00a0: recommencez quand le réseau est revenu."],
		["a missing role", missingRole, shutOut],
		["the sign-in", toSignIn, shutOut],
		[
			"another site",
			new ErrorResponse(403, "", "Non"),
			"failed: Cet envoi est refusé\u00a0: il ne vient pas de l’adresse du bureau. Ouvrez le bureau à son adresse habituelle dans un autre onglet.",
		],
		[
			"slowness",
			new ErrorResponse(408, "", ""),
			"failed: Cet envoi a mis trop de temps à nous parvenir. Recommencez, si possible avec une meilleure connexion.",
		],
		[
			"size",
			new ErrorResponse(413, "", "<html>"),
			"failed: Cet envoi est trop volumineux. Raccourcissez le texte, ou envoyez-le en plusieurs fois.",
		],
		["frequency", new ErrorResponse(429, "", ""), "failed: Trop d’envois en peu de temps. Attendez une minute, puis recommencez."],
		["a fault", new Error("Unexpected Server Error"), unknown],
		["a fault with its status", new ErrorResponse(500, "", ""), unknown],
		["a proxy", new ErrorResponse(502, "", "<html>"), silent],
		["no database", new ErrorResponse(503, "", ""), silent],
		["a proxy that waits no longer", new ErrorResponse(504, "", ""), silent],
	])("because of %s keeps its page, which says what to do", async (_why, error, text) => {
		vi.stubGlobal("document", {});
		expect(await send(error)).toEqual({ text, unsent: text.slice(0, text.indexOf(":")) });
	});

	test.each([400, 404, 405, 410])("has its own page for %i, and for an answer that leads elsewhere", async (status) => {
		for (const error of [new ErrorResponse(status, "", ""), new Response(null, { status: 302, headers: { location: "/bureau" } })])
			await expect(send(error)).rejects.toBe(error);
	});

	test("is what the answer says otherwise", async () => {
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
