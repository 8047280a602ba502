import type { MarkKind } from "./find-marks.ts";

/** A page of a PDF as a picture. */
export interface DrawnPage {
	width: number;
	height: number;
	/** In base64. */
	png: string;
	/** What is marked on it. */
	marks: MarkKind[];
}
