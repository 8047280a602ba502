import type { ExtractFacts } from "./check-extract.server.ts";

/** Why a file is not the greffe's own (docs/rules.md, R206): it is a photo, or its pages are pictures. Null when it may be. */
export const findPicture = ({ problem, isScan, isPhoto }: ExtractFacts): "photo" | "scan" | null =>
	problem === "picture" || isPhoto ? "photo" : isScan ? "scan" : null;
