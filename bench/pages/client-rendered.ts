import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { build } from "vite";
import { temporaryFolder } from "../database.ts";
import { type MeasuredServer, programArguments, startMeasured } from "../measured-server.ts";
import { readPage } from "./read-page.ts";

const staticServer = new URL("./static-server.ts", import.meta.url);

/** Draws the page into an empty element, as client-rendered applications begin. */
const program = `import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Home } from "./home.js";
createRoot(document.getElementById("root")).render(createElement(Home));
`;

/**
 * The same page as Vite and React give it when the browser draws it: the same head, style sheet, fonts and elements, but for an empty
 * `<div id="root">`. One component and no state, no router, no data to fetch: the least that such a page can be. Files are compressed with brotli
 * at its best. Throws when the browser then shows other elements or another text than on the shop's page.
 * @returns the server of the built files
 */
export async function startClientRendered(
	undo: AsyncDisposableStack,
	{ browser, address }: { browser: Browser; address: string },
): Promise<MeasuredServer> {
	const original = await readPage(browser, address);
	const folder = temporaryFolder(undo);
	symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
	mkdirSync(join(folder, "src"));
	writeFileSync(
		join(folder, "src/home.js"),
		`import { createElement as h, Fragment } from "react";\nexport const Home = () => h(Fragment, null, ${original.source});\n`,
	);
	writeFileSync(join(folder, "src/main.js"), program);
	writeFileSync(
		join(folder, "index.html"),
		`<!doctype html><html lang="fr"><head>${original.head}</head><body><div id="root"></div><script type="module" src="/src/main.js"></script></body></html>`,
	);
	// the shop's own style sheet, fonts and pictures, compressed as they are there
	await build({ root: folder, configFile: false, logLevel: "error", publicDir: resolve("build/client"), build: { outDir: "built" } });
	const built = join(folder, "built");
	for (const file of globSync(["index.html", "assets/index-*.js"], { cwd: built })) {
		writeFileSync(join(built, `${file}.br`), brotliCompressSync(readFileSync(join(built, file))));
	}
	const server = await startMeasured(undo, { args: programArguments(staticServer), readyPath: "/", environment: { FOLDER: built } });
	const drawn = await readPage(browser, server.url, "#root");
	if (drawn.elements !== original.elements || drawn.text !== original.text) {
		throw new Error(`the client-rendered page differs: ${drawn.elements} elements in place of ${original.elements}`);
	}
	return server;
}
