import type { StorageContext } from "../../orders/documents/storage.ts";

/** The context of purge and erasure. */
export type RetentionContext = Pick<StorageContext, "db" | "environment" | "now" | "log" | "storage">;
