import { expect, test } from "vitest";
import { printable } from "./printable.ts";

test("what no font has becomes its plain form, or one visible gap", () => {
	expect(printable("Café 👩‍💻 Ελένη ﬁn x̌")).toBe("Café ? ????? fin x");
});

test("letters written with combining marks, narrow spaces or line breaks become printable", () => {
	expect(printable("Zoe\u0301\u202f:\nŁódź\t\u200bvoilà\u0000")).toBe("Zoé\u00a0: Łódź voilà ");
	expect(printable("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ")).toBe("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ");
});
