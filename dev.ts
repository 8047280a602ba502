// npm run dev: the whole shop from its sources. Vite loads every module, serves those of the browser, and reads edited files again.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { LoadBundle, runProgram as RunProgram } from "./app/run-program.ts";

process.env.NODE_ENV = "development"; // read when React and Vite are first loaded
const { createServer: createViteServer } = await import("vite");
/** Stands for the shop's server, which does not exist yet. */
const upgrades = createServer();
const vite = await createViteServer({ server: { middlewareMode: true, ws: { server: upgrades } } });

const loadBundle: LoadBundle = async (server, handler) => {
	const load = (): ReturnType<LoadBundle> => vite.ssrLoadModule("./app/bundle.ts") as ReturnType<LoadBundle>;
	const listener = getRequestListener(handler);
	server?.removeAllListeners("request");
	server?.on("request", (request, response) => vite.middlewares(request, response, () => listener(request, response)));
	server?.on("upgrade", (...connection) => upgrades.emit("upgrade", ...connection));
	const first = await load();
	return {
		...first,
		createWeb: async (shop) => {
			const web = await first.createWeb(shop);
			web.fetch = async (request, env) => (await (await load()).createWeb(shop)).fetch(request, env);
			return web;
		},
	};
};

const program = await vite.ssrLoadModule("./app/run-program.ts");
const runProgram: typeof RunProgram = program.runProgram;
await runProgram(process.argv.slice(2), loadBundle);
