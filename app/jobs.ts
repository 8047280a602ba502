import type { Shop } from "./shop.ts";

/** Starts doing every kind of job of the shop. */
export async function startWorkers(_shop: Shop): Promise<void> {}
