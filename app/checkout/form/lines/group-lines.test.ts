import { expect, test } from "vitest";
import { describeCounts } from "./group-lines.ts";

test.each([
	[0, 0, 0, "Aucune entreprise"],
	[1, 0, 0, "1 extrait à commander"],
	[2, 0, 0, "2 extraits à commander"],
	[187, 0, 3, "187 extraits à commander, 3 à corriger"],
	[187, 1, 3, "187 extraits à commander, 1 à vérifier, 3 à corriger"],
	[1, 2, 0, "1 extrait à commander, 2 à vérifier"],
	[0, 1, 0, "1 extrait à vérifier"],
	[0, 2, 1, "2 extraits à vérifier, 1 à corriger"],
	[0, 0, 1, "1 extrait à corriger"],
	[0, 0, 5, "5 extraits à corriger"],
])("a list with %i ready lines, %i to read and %i to correct is headed « %s »", (ready, toRead, wrong, heading) => {
	expect(describeCounts(ready, toRead, wrong)).toBe(heading);
});
