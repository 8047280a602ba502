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
	["an address whose code stands in its field", ["1 rue A\n75001 Paris", "75001", ""], ["1 rue A, 75001 Paris", "75001", ""]],
	["several lines", ["1 rue A\n\n  Bât. B", "75001", "Paris"], ["1 rue A, Bât. B", "75001", "Paris"]],
	["a district", ["12 bis, rue A", "75016", "Paris 16e"], ["12 bis, rue A", "75016", "Paris 16e"]],
	["two codes that differ", ["1 rue A", "69001", "75001 Paris"], ["1 rue A", "69001", "75001 Paris"]],
	["two cities that differ", ["1 rue A", "75001 Paris", "Lyon"], ["1 rue A", "75001Paris", "Lyon"]],
	["an address whose city stands in its field", ["1 rue A\n75001 Paris", "75001", "Paris"], ["1 rue A, 75001 Paris", "75001", "Paris"]],
	["nothing", [null, undefined, new Blob()], ["", "", ""]],
])("%s", (_what, [street, postalCode, city], expected) => {
	expect(read(street, postalCode, city)).toEqual(expected);
});
