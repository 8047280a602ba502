import { expect, test } from "vitest";
import { getSirenOfVatNumber, parseVatNumber } from "./vat-number.ts";

test.each([
	["FR 27 552 032 534", "FR27552032534"],
	["fr27.552.032.534", "FR27552032534"],
	["FR\u00a027\u202f552032534", "FR27552032534"],
	["FR K7 399 859 412", "FRK7399859412"], // a key with a letter is not calculated from the SIREN
	["FR 4Z 123 456 782", "FR4Z123456782"],
	["TVA intracommunautaire : FR27552032534", "FR27552032534"],
	["N° TVA FR 27 552 032 534 (DANONE)", "FR27552032534"],
	["FR27–552‑032−534", "FR27552032534"],
	["ＦＲ２７\u200b５５２０３２５３４", "FR27552032534"],
	["FR27552032534/552032534", "FR27552032534"],
])("%s is the VAT number %s", (text, number) => {
	expect(parseVatNumber(text)).toBe(number);
});

test.each([
	...[
		"",
		"FR",
		"552032534",
		"FR 28 552 032 534",
		"FR 27 552 032 53",
		"FR 27 552 032 5344",
		"FR O7 552 032 534",
		"28552032534",
		"127552032534",
	],
	...["DE 136 695 976", "BE 0403.170.701", "GB 123456789", "US 123456789", "CHE-123.456.789", "toString", "__proto__", "DE 12345678A"],
])("%s is no French VAT number", (text) => {
	expect(parseVatNumber(text)).toBeNull();
});

test("a French number contains the SIREN", () => {
	const getSiren = (text: string) => {
		const number = parseVatNumber(text);
		return number && getSirenOfVatNumber(number);
	};
	expect(getSiren("FR27552032534")).toBe("552032534");
});
