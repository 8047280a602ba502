/** Exports for other concepts. */

export { deleteOldShares, listShareOpenings, listShares, revokeShare } from "./shares.store.server.ts";
