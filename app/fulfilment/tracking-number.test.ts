import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTrackingNumber, findTrackingNumber } from "./tracking-number.ts";

describe("finding a tracking number in what is typed", () => {
	test.each([
		["1A23456789012", "1A23456789012"],
		[" 1a 234 567 8901 2 ", "1A23456789012"],
		["1A\u00a0234\u202f567\u20078901\u20092", "1A23456789012"],
		["1A-234-567-8901-2", "1A23456789012"],
		["1A\u2011234\u2011567\u20138901\u22122", "1A23456789012"],
		["1A.234.567.8901.2", "1A23456789012"],
		["\u200e1A 234 567 8901 2\u200b", "1A23456789012"],
		["１Ａ２３４５６７８９０１２", "1A23456789012"],
		["N° 1A 234 567 8901 2", "1A23456789012"],
		["n°1A23456789012", "1A23456789012"],
		["N° de suivi : 1A 234 567 8901 2", "1A23456789012"],
		["\tN° de suivi : 1A 234 567 8901 2\n", "1A23456789012"],
		["Numéro de suivi\u00a0: 6A15602676300", "6A15602676300"],
		["Suivi: 2C 123 456 7890 1", "2C12345678901"],
		["Lettre suivie 1L 234 567 8901 2", "1L23456789012"],
		["Recommandé avec AR n° 1A 234 567 8901 2", "1A23456789012"],
		["LR AR 1A 234 567 8901 2", "1A23456789012"],
		["Colissimo n° 6M17554710224", "6M17554710224"],
		["RR 123 456 785 FR", "RR123456785FR"],
		["LR 123 456 785 FR", "LR123456785FR"],
		["rr123456785fr", "RR123456785FR"],
		["87 000 123 456 789 0", "870001234567890"],
		["https://www.laposte.fr/outils/suivre-vos-envois?code=1A23456789012", "1A23456789012"],
		["https://www.laposte.fr/outils/suivre-vos-envois?code=1A%20234%20567%208901%202", "1A23456789012"],
		["https://www.laposte.fr/outils/suivre-vos-envois?code=1a+234+567+8901+2#suivi", "1A23456789012"],
		["laposte.fr/outils/suivre-vos-envois?lang=fr_FR&code=6A15602676300", "6A15602676300"],
		["https://www.laposte.fr/outils/track-a-parcel/6A15602676300", "6A15602676300"],
		["www.chronopost.fr/tracking-no-cms/suivi-page?listeNumerosLT=EE123456785FR&langue=fr", "EE123456785FR"],
		["Votre envoi 1A 234 567 8901 2 a été pris en charge le 30/11/2026", "1A23456789012"],
		["1A 234 567 8901 2 (Dupont, 3 rue de la Paix)", "1A23456789012"],
		["« 1A23456789012 »", "1A23456789012"],
		["N°LRAR1A23456789012", "1A23456789012"],
		["1A23456789012 1A23456789012", "1A23456789012"],
		["Chronopost : EE 123 456 785 FR.", "EE123456785FR"],
		["6A123456789, colis", "6A123456789"],
		["suivi : https://www.laposte.fr/outils/suivre-vos-envois?code=1A23456789012&utm_source=20261130", "1A23456789012"],
		["https://www.laposte.fr/outils/suivre-vos-envois?code=870001234567890", "870001234567890"],
		["LR 123 456 789 FR", "LR123456789FR"],
		["N° de suivi : ABC12345678", "ABC12345678"],
		["ABC12345678", "ABC12345678"],
	])("« %s » has %s", (typed, number) => expect(findTrackingNumber(typed)).toBe(number));

	test.each([
		"",
		"abc",
		"1234567890",
		"06 12 34 56 78",
		"1A2345678901234567",
		"1234567890123456",
		"ABCD1234567",
		"LETTRE SUIVIE",
		"1A234567890é",
		"ABCDEFGHIJK12",
		"+33612345678",
		"https://www.laposte.fr/outils/suivre-vos-envois",
		"1A23456789012 et 1A23456789013",
		"1A23456789012 ou RR123456785FR",
		"1234A23456789012X",
	])("« %s » has none", (typed) => expect(findTrackingNumber(typed)).toBeNull());

	test("whatever stands around it", () => {
		const words = fc.stringMatching(/^(?:[a-zé«»(),:-]{1,6} ){0,4}$/);
		fc.assert(
			fc.property(words, words, (before, after) => {
				expect(findTrackingNumber(`${before}1a 234 567 8901 2 ${after}`)).toBe("1A23456789012");
			}),
		);
	});

	test("however it is set apart", () => {
		const gap = fc.constantFrom("", " ", "\u00a0", "\u202f", "-", "\u2011", ".");
		fc.assert(
			fc.property(fc.array(gap, { minLength: 12, maxLength: 12 }), (gaps) => {
				const typed = [..."1A23456789012"].map((sign, index) => sign + (gaps[index] ?? "")).join("");
				expect(findTrackingNumber(typed.toLowerCase())).toBe("1A23456789012");
			}),
		);
	});
});

describe("a tracking number", () => {
	test.each([
		// S10: the rests 10 and 11 are written 0 and 5
		...["RR123456785FR", "EE123456785FR", "CP000000005FR", "RR000000310FR", "RA473124829GB", "RB123456785DE"].map(
			(number) => [number, "known"] as const,
		),
		...["1A23456789012", "2C12345678901", "6A15602676300", "6M17554710224", "8R1234567890123".slice(0, 13), "6A123456789"].map(
			(number) => [number, "known"] as const,
		),
		...["87000123456", "8700012345678", "870001234567890"].map((number) => [number, "known"] as const),
		...["RR123456789FR", "RK123456789FR", "RR123456775FR", "CP000000000FR", "RR213456785FR"].map(
			(number) => [number, "wrong-key"] as const,
		),
		...["ABC12345678", "1A2345678901", "123456789012", "12345678901", "XY1234567890123", "88000123456789", "D0123456789012"].map(
			(number) => [number, "unknown"] as const,
		),
		...["33612345678", "0033612345678", "330612345678"].map((number) => [number, "other-number"] as const),
		...["55203253400", "00552032534", "005520325340000", "55203253400703", "FR27552032534", "FR7501552032534"].map(
			(number) => [number, "other-number"] as const,
		),
		...["55203253500", "33012345678", "FR27552032535", "55203253400704"].map((number) => [number, "unknown"] as const),
	])("%s is %s", (number, expected) => {
		expect(findTrackingNumber(number)).toBe(number);
		expect(checkTrackingNumber(number)).toBe(expected);
	});

	test("of the Universal Postal Union has one right check digit", () => {
		fc.assert(
			fc.property(fc.stringMatching(/^\d{8}$/), (serial) => {
				const known = [..."0123456789"].filter((key) => checkTrackingNumber(`RR${serial}${key}FR`) === "known");
				expect(known).toHaveLength(1);
			}),
		);
	});
});
