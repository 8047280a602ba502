import type { StorageContext } from "../documents/storage.ts";

/** What purging and erasing need. */
export type RetentionContext = Pick<StorageContext, "db" | "now" | "log" | "storage">;
