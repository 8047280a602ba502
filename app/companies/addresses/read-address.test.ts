import fc from "fast-check";
import { expect, test } from "vitest";
import { readAddress } from "./read-address.ts";

const read = (street: unknown, postalCode: unknown, city: unknown) => Object.values(readAddress({ street, postalCode, city }));

test.each([
	["75 001", "75001"],
	[" 75\u00a0001 ", "75001"],
	["75.001", "75001"],
	["75-001", "75001"],
	["F-75001", "75001"],
	["F 75001", "75001"],
	["FR-75 001", "75001"],
	["fr75001", "75001"],
	["７５００１", "75001"],
	["98000", "98000"],
	["97400", "97400"],
	["2A004", "2A004"],
	["1000", "1000"],
	["B-1000", "B-1000"],
	["750011", "750011"],
	["CP : 75001", "75001"],
	["code postal 75001", "75001"],
	["France 75001", "75001"],
	["(75001)", "75001"],
	["'75001", "75001"],
	["75001,", "75001"],
	["75001 CEDEX", "75001"],
	["7 5 0 0 1", "75001"],
	["MC-98000", "98000"],
	["D-10115", "D-10115"],
	["75001.0", "75001.0"],
	["-", ""],
])("the postal code « %s » is read as %s", (typed, code) => {
	expect(read("1 rue A", typed, "Paris")).toEqual(["1 rue A", code, "Paris"]);
});

test.each([
	["a code in the field of the city", ["1 rue A", "", "75001 Paris"], ["1 rue A", "75001", "Paris"]],
	["the same code twice", ["1 rue A", "75001", "75001 Paris"], ["1 rue A", "75001", "Paris"]],
	["a code with its country", ["1 rue A", "", "F-75 008, PARIS CEDEX 08"], ["1 rue A", "75008", "PARIS CEDEX 08"]],
	["a city in the field of the code", ["1 rue A", "97400 Saint-Denis", ""], ["1 rue A", "97400", "Saint-Denis"]],
	["the same city twice", ["1 rue A", "75001 PARIS", "Paris"], ["1 rue A", "75001", "Paris"]],
	["an address in its first field", ["1 rue A\r\nBât. B,\n75001 Paris", "", ""], ["1 rue A, Bât. B", "75001", "Paris"]],
	["an address of two lines", ["1 rue A\n75001 Paris", "", ""], ["1 rue A", "75001", "Paris"]],
	["a place alone in the field of the street", ["75001 Paris", "", ""], ["75001 Paris", "", ""]],
	["an address whose code stands in its field", ["1 rue A\n75001 Paris", "75001", ""], ["1 rue A", "75001", "Paris"]],
	["several lines", ["1 rue A\n\n  Bât. B", "75001", "Paris"], ["1 rue A, Bât. B", "75001", "Paris"]],
	["a district", ["12 bis, rue A", "75016", "Paris 16e"], ["12 bis, rue A", "75016", "Paris 16e"]],
	["two codes that differ", ["1 rue A", "69001", "75001 Paris"], ["1 rue A", "69001", "75001 Paris"]],
	["two cities that differ", ["1 rue A", "75001 Paris", "Lyon"], ["1 rue A", "75001Paris", "Lyon"]],
	["an address whose city stands in its field", ["1 rue A\n75001 Paris", "75001", "Paris"], ["1 rue A", "75001", "Paris"]],
	["a place at the end of the street", ["1 rue A 75001 Paris", "", ""], ["1 rue A", "75001", "Paris"]],
	["a place after a comma, with its country", ["1 rue A, F-75 001 PARIS, France", "", ""], ["1 rue A", "75001", "PARIS"]],
	["a place in the three fields", ["1 rue A, 75001 paris", "75001", "Paris"], ["1 rue A", "75001", "Paris"]],
	["a code at the end of the street", ["1 rue A\n75001", "", "Paris"], ["1 rue A", "75001", "Paris"]],
	["a line of a table", ["1 rue A\t75001\tParis", "", ""], ["1 rue A", "75001", "Paris"]],
	["a line of an address", ["1 rue A | 75001 Paris", "", ""], ["1 rue A", "75001", "Paris"]],
	["a district after the code", ["1 rue A 75016 Paris 16e", "", ""], ["1 rue A", "75016", "Paris 16e"]],
	["the box of a company", ["1 rue A CS 40001 75001 Paris Cedex 01", "", ""], ["1 rue A CS 40001", "75001", "Paris Cedex 01"]],
	["a box that is no code", ["BP 12345 Nouméa", "", ""], ["BP 12345 Nouméa", "", ""]],
	["a number of five digits", ["10115 route de Paris", "", ""], ["10115 route de Paris", "", ""]],
	["a year in a street", ["1 rue du 8 mai 1945, 75001 Paris", "", ""], ["1 rue du 8 mai 1945", "75001", "Paris"]],
	["a street with another place", ["1 rue A, 75001 Paris", "69001", "Lyon"], ["1 rue A, 75001 Paris", "69001", "Lyon"]],
	["a place before more of the street", ["1 rue A 75001 Paris, Bât. B", "", ""], ["1 rue A 75001 Paris, Bât. B", "", ""]],
	["the two fields exchanged", ["1 rue A", "Paris", "75001"], ["1 rue A", "75001", "Paris"]],
	["the same code twice, in place of a city", ["1 rue A", "75001", "75001"], ["1 rue A", "75001", ""]],
	["a code after the city", ["1 rue A", "", "Paris (75001)"], ["1 rue A", "75001", "Paris"]],
	["a department after the city", ["1 rue A", "75001", "Paris (75)"], ["1 rue A", "75001", "Paris (75)"]],
	["a sorting office in the field of the code", ["1 rue A", "75001 Paris Cedex 01", "Paris"], ["1 rue A", "75001", "Paris Cedex 01"]],
	["a code and a city without a blank", ["1 rue A", "75001PARIS", ""], ["1 rue A", "75001", "PARIS"]],
	["a country after the city", ["1 rue A", "75001", "PARIS (FRANCE)"], ["1 rue A", "75001", "PARIS"]],
	["no country", ["1 rue A", "97200", "Fort-de-France"], ["1 rue A", "97200", "Fort-de-France"]],
	["no country in capitals", ["1 rue A", "95700", "ROISSY EN FRANCE"], ["1 rue A", "95700", "ROISSY EN FRANCE"]],
	["dashes", ["-", "—", "."], ["", "", ""]],
	["nothing", [null, undefined, new Blob()], ["", "", ""]],
])("%s", (_what, [street, postalCode, city], expected) => {
	expect(read(street, postalCode, city)).toEqual(expected);
});

test("an address is the same in whatever fields its parts stand", () => {
	const street = fc.constantFrom(
		"1 rue A",
		"12 bis, avenue du 8 mai 1945",
		"Lieu-dit Le Bourg",
		"Bât. B, 1 rue A",
		"10115 route de Paris",
		"BP 12345",
	);
	const place = fc.constantFrom(["75001", "Paris"], ["97200", "Fort-de-France"], ["98845", "Nouméa Cedex"], ["95700", "Roissy-en-France"]);
	const gap = fc.constantFrom(" ", ", ", " - ", " \u2013 ");
	const line = fc.constantFrom(" ", ", ", "\n", "\r\n", "\t", " | ", ",\n");
	const country = fc.constantFrom("", ", France", " (FRANCE)");
	fc.assert(
		fc.property(street, place, gap, line, country, (address, [code = "", city = ""], between, before, after) => {
			const whole = `${code}${between}${city}${after}`;
			const ways = [
				[address, code, `${city}${after}`],
				[address, "", whole],
				[address, whole, ""],
				[address, whole, city],
				[address, city, code],
			];
			for (const way of [...ways, [`${address}${before}${whole}`, "", ""], [`${address}${before}${whole}`, code, city]])
				expect(read(way[0], way[1], way[2])).toEqual([address, code, city]);
			expect(read(address, code, city)).toEqual(read(...(read(address, code, city) as [string, string, string])));
		}),
	);
});
