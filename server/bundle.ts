/** What the build hands to main.ts: all that needs the framework or renders React. */
export { startWorkers } from "../app/jobs.ts";
export { createWeb } from "./web.ts";
