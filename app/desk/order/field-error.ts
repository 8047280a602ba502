import type { ActOutcome } from "../acts/act.ts";

/** The sentence of a refusal that is about a field; undefined otherwise. */
export const findFieldError = (outcome: ActOutcome | undefined, field: string): string | undefined =>
	outcome?.state === "refused" && outcome.field === field ? outcome.text : undefined;
