/** The drawings that a text may name; drawings.tsx has them. Without React, because commands read texts as well. */
export const drawingNames = ["sheet", "rubrics", "fold", "seal", "stamp", "letter", "screen", "search", "compare", "question"] as const;

export type DrawingName = (typeof drawingNames)[number];
