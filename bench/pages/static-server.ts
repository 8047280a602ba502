// A folder of files (FOLDER), each with its compressed form beside it, through the shop's own HTTP layer.
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const app = new Hono().use(serveStatic({ root: process.env.FOLDER as string, precompressed: true }));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
