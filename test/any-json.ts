import { type JsonText, toJson } from "../server/database/column-types.ts";

/** JSON of any shape, for tests that need only a part of a column's content, or a damaged one. */
export const anyJson = (content: unknown): JsonText<never> => toJson(content as never);
