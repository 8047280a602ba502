import { expect, test } from "vitest";
import { typedKeys } from "../../../server/types/objects.ts";
import { operatorCauses } from "./operator-causes.ts";
import { getMotive } from "./refund-motive.ts";
import { refundReasonLabels } from "./refund-reason-labels.ts";

test("the motive of a refund is that of its reason, unless an operator chose a cause", () => {
	const ofReasons = typedKeys(refundReasonLabels).map((reason) => [reason, getMotive({ reason, cause: null })]);
	expect(Object.fromEntries(ofReasons)).toEqual({
		...{ failed: "failed", cancelled: "cancelled", late: "late", withdrawal: "withdrawal" },
		...{ guarantee: "wrong", operator: "other", surplus: "duplicate", dashboard: "other" },
	});
	const ofCauses = typedKeys(operatorCauses).map((cause) => [cause, getMotive({ reason: "cancelled", cause })]);
	expect(Object.fromEntries(ofCauses)).toEqual({
		...{ "wrong-extract": "wrong", "wrong-company": "other", late: "late", duplicate: "duplicate" },
		...{ "not-available": "failed", "customer-asked": "other", mismatch: "other", other: "other" },
	});
	expect(refundReasonLabels.late).toContain("Le délai du service KBIS Express n’a pas été tenu");
	expect(getMotive({ reason: "late", cause: "an unknown cause" })).toBe("late");
});
