// Answers every request with the same text (the file named by PAGE) through the shop's HTTP layer: the baseline of a page.
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const text = readFileSync(process.env.PAGE as string, "utf8");
const app = new Hono().get("*", (c) => c.html(text));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });
