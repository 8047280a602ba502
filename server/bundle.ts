/** What the build hands to main.ts: all that needs the framework or renders React. */
export { jobKinds, startWorkers } from "../app/jobs.ts";
export { wireShop } from "../app/wire.server.ts";
export { createWeb } from "./web.ts";
