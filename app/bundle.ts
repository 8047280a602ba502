/** The exports of the build for main.ts: everything that needs the framework or renders React. */

export { createShop } from "./create-shop.server.ts";
export { jobKinds } from "./job-kinds.ts";
export { startWorkers } from "./jobs.ts";
export { createWeb } from "./web/web.ts";
