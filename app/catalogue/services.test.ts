import { expect, test } from "vitest";
import { isPosted, parseServiceCode, postedServices, type ServiceCode, serviceCodes, services, suggestedService } from "./services.ts";

test.each([
	["standard", "email", { openHours: 4 }, "4 heures ouvrées", "4 heures ouvrées", 0, 3900, false],
	["express", "email", { openHours: 2 }, "2 heures ouvrées", "2 heures ouvrées", 0, 5900, true],
	["postal", "postal", { workingDays: 2 }, "48 h (2 jours ouvrés)", "3 à 5 jours ouvrés en métropole", 500, 4400, false],
] as const)(
	"%s: its delivery, promise, price, and whether a late order is refunded",
	(code, deliveryMethod, term, sentWithin, timeline, postalSupplement, price, refundedWhenLate) => {
		const service = services[code];
		expect(service).toMatchObject({ code, deliveryMethod, term, postalSupplement, price, refundedWhenLate });
		expect([service.sentWithin, service.timeline].map((text) => text.replaceAll("\u00a0", " "))).toEqual([sentWithin, timeline]);
		expect(service.recommended).toBe(code === suggestedService);
	},
);

test("the express service is suggested, and only the postal one is posted", () => {
	expect(suggestedService).toBe("express");
	expect(postedServices).toEqual(["postal"]);
	expect(serviceCodes.filter(isPosted)).toEqual(["postal"]);
});

test.each<[string | null | undefined, ServiceCode | null]>([
	["postal", "postal"],
	["Postal", null],
	["", null],
	[null, null],
	[undefined, null],
])("the code %j is of %s", (value, code) => {
	expect(parseServiceCode(value)).toBe(code);
});
