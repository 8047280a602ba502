import { describe, expect, test } from "vitest";
import { formatAttachmentHeader, formatFileName, formatFileNameInPurchase, type NamedDocument } from "./file-name.ts";

const extract: NamedDocument = {
	...{ type: "kbis", number: null, companyName: "GTE PLOMBERIE", siren: "797741931" },
	...{ issuedAt: new Date("2026-11-22T10:00:00Z"), soleTrader: false },
};

describe("the file name of an extract", () => {
	test.each<[string, Partial<NamedDocument>, string]>([
		["has company, SIREN and day", {}, "Kbis_GTE-PLOMBERIE_797741931_2026-11-22.pdf"],
		["has the day in Paris", { issuedAt: new Date("2026-11-22T23:30:00Z") }, "Kbis_GTE-PLOMBERIE_797741931_2026-11-23.pdf"],
		["has no name of a masked company", { companyName: null }, "Kbis_797741931_2026-11-22.pdf"],
		["is an extract K for a sole trader", { soleTrader: true }, "Extrait-K_GTE-PLOMBERIE_797741931_2026-11-22.pdf"],
		["folds accents and ligatures", { companyName: "Société d’Œuvres & Cie" }, "Kbis_Societe-d-OEuvres-Cie_797741931_2026-11-22.pdf"],
		["has no path and no control character", { companyName: '../A"\r\n\\B:*?<>|' }, "Kbis_A-B_797741931_2026-11-22.pdf"],
		["omits a name without Latin letters", { companyName: "Ελλάς ‮" }, "Kbis_797741931_2026-11-22.pdf"],
	])("%s", (_what, change, expected) => {
		expect(formatFileName({ ...extract, ...change })).toBe(expected);
	});

	test("keeps at most 60 characters of the name, whole words where it can", () => {
		const named = (companyName: string) => formatFileName({ ...extract, companyName }).split("_")[1] ?? "";
		expect(named("A".repeat(300))).toBe("A".repeat(60));
		expect(named(`${"MOT ".repeat(15)}DERNIER`)).toBe(Array(15).fill("MOT").join("-"));
		expect(named("MOT ".repeat(40))).toBe(Array(15).fill("MOT").join("-"));
		expect(named(`${"M".repeat(60)} SUITE`)).toBe("M".repeat(60));
		expect(named(`${"MOT ".repeat(14)}MOTS`)).toBe(`${"MOT-".repeat(14)}MOTS`);
		expect(named(`${"MOT ".repeat(14)}MOTIF`)).toBe(Array(14).fill("MOT").join("-"));
	});
});

test.each<[NamedDocument["type"], string, string]>([
	["invoice", "F2026-000001", "Facture_F2026-000001.pdf"],
	["credit_note", "A2026-000002", "Avoir_A2026-000002.pdf"],
])("%s %s: %s", (type, number, expected) => {
	expect(formatFileName({ ...extract, type, number })).toBe(expected);
	expect(formatFileName({ ...extract, type, number: null })).toBe(expected.replace(`_${number}`, ""));
});

test.each<[Partial<Parameters<typeof formatFileNameInPurchase>[0]>, string]>([
	[{}, "Kbis_GTE-PLOMBERIE_dossier-2026-114_KB-7F3K-92QD.pdf"],
	[{ soleTrader: true, reference: null }, "Extrait-K_GTE-PLOMBERIE_KB-7F3K-92QD.pdf"],
	[{ companyName: null }, "Kbis_dossier-2026-114_KB-7F3K-92QD.pdf"],
	[{ companyName: "Straße æ Łódź", reference: "…" }, "Kbis_Strasse-ae-Lodz_KB-7F3K-92QD.pdf"],
])("among other extracts, a file also has the customer's reference and the order's number: %j", (change, expected) => {
	const usual = { companyName: "GTE PLOMBERIE", soleTrader: false, reference: "dossier 2026/114", orderNumber: "KB-7F3K-92QD" };
	expect(formatFileNameInPurchase({ ...usual, ...change })).toBe(expected);
});

test("the header quotes the name", () => {
	expect(formatAttachmentHeader("Facture_F2026-000001.pdf")).toBe('attachment; filename="Facture_F2026-000001.pdf"');
});
