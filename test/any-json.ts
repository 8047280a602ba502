import { type JsonText, toJson } from "../server/database/column-types.ts";

/** JSON of any content, for a column of whose content the test needs only a part, or another than its room declares. */
export const anyJson = (content: unknown): JsonText<never> => toJson(content as never);
