import type { ComponentType } from "react";
import { CompareDrawing } from "./compare-drawing.tsx";
import type { DrawingProps } from "./drawing.tsx";
import type { DrawingName } from "./drawing-names.ts";
import { FoldDrawing } from "./fold-drawing.tsx";
import { LetterDrawing } from "./letter-drawing.tsx";
import { QuestionDrawing } from "./question-drawing.tsx";
import { RubricsDrawing } from "./rubrics-drawing.tsx";
import { ScreenDrawing } from "./screen-drawing.tsx";
import { SealDrawing } from "./seal-drawing.tsx";
import { SearchDrawing } from "./search-drawing.tsx";
import { SheetDrawing } from "./sheet-drawing.tsx";
import { StampDrawing } from "./stamp-drawing.tsx";

/** The drawings that a text may name. Pages with scripts import the one they show, to stay light. */
export const drawings: Record<DrawingName, ComponentType<DrawingProps>> = {
	sheet: SheetDrawing,
	rubrics: RubricsDrawing,
	fold: FoldDrawing,
	seal: SealDrawing,
	stamp: StampDrawing,
	letter: LetterDrawing,
	screen: ScreenDrawing,
	search: SearchDrawing,
	compare: CompareDrawing,
	question: QuestionDrawing,
};
