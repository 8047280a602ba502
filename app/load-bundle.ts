import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { RequestHandler } from "../server/http-server.ts";
import type * as Bundle from "./bundle.ts";

/** Loads the build of bundle.ts. */
export const loadBuild = (): Promise<typeof Bundle> => import("../build/server/index.js" as string);

/**
 * Loads bundle.ts from its sources, with a Vite server that serves the browser's modules and reloads edited files.
 * @param server receives Vite's middleware before `handler`; undefined in a process without a web server.
 */
export async function loadSources(server: Server | undefined, handler: RequestHandler): Promise<typeof Bundle> {
	const { createServer: createViteServer } = await import("vite");
	const vite = await createViteServer({ server: { middlewareMode: true, ...(server && { ws: { server } }) } });
	const load = () => vite.ssrLoadModule("./app/bundle.ts") as Promise<typeof Bundle>;
	const listener = getRequestListener(handler);
	server?.removeAllListeners("request");
	server?.on("request", (request, response) => vite.middlewares(request, response, () => listener(request, response)));
	const first = await load();
	return {
		...first,
		createWeb: async (shop) => {
			const web = await first.createWeb(shop);
			web.fetch = async (request, env) => (await (await load()).createWeb(shop)).request(request, undefined, env as object);
			return web;
		},
	};
}
