import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { RequestHandler } from "../server/http-server.ts";
import type * as Bundle from "./bundle.ts";

/** What `npm run build` made of bundle.ts. */
export const loadBuild = (): Promise<typeof Bundle> => import("../build/server/index.js" as string);

/**
 * bundle.ts itself, behind a Vite server that answers for the browser's modules and reloads what was edited.
 * @param server gets Vite before `answer`; undefined in a process that does not listen.
 */
export async function loadSources(server: Server | undefined, answer: RequestHandler): Promise<typeof Bundle> {
	const { createServer: createViteServer } = await import("vite");
	const vite = await createViteServer({ server: { middlewareMode: true, ...(server && { ws: { server } }) } });
	const load = () => vite.ssrLoadModule("./app/bundle.ts") as Promise<typeof Bundle>;
	const listener = getRequestListener(answer);
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
