import { createHash } from "node:crypto";
import type { CheckedLine } from "./checked-line.ts";

/**
 * What a page shows of its lines, for its form to send along: a line whose company or problem is another when it is sent was not seen.
 * The page says it, and not the stored form, because a double click sends the same page twice.
 */
export const describeShown = (lines: readonly CheckedLine[]): string => lines.map(toDigest).join(".");

/** @param shown of the page that was sent. @returns the places of the lines that it did not show as they are checked now. */
export function findUnseen(lines: readonly CheckedLine[], shown: string): number[] {
	const digests = shown.split(".");
	return lines.flatMap((line, index) => (toDigest(line) === digests[index] ? [] : [line.place]));
}

function toDigest({ line, siren, problem }: CheckedLine): string {
	const content = JSON.stringify([line.company, siren, problem?.code ?? null]);
	return createHash("sha256").update(content).digest("base64url").slice(0, 8);
}
