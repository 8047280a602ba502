import { expect, test } from "vitest";
import { findGreffe } from "./greffes.server.ts";

test.each([
	["75109", "Paris"],
	["13001", "Aix-en-Provence"],
	["69123", "Lyon"],
	["25056", "Besançon"],
	["2A004", "Ajaccio"],
	["59350", "Lille Métropole"],
	["97411", "Saint-Denis-de-La-Réunion"],
	["98735", "Papeete"],
])("the greffe of the commune %s is %s", (commune, greffe) => {
	expect(findGreffe(commune)).toBe(greffe);
});

test.each(["99138", "00000", "", "code_commune"])("the commune %j has no greffe", (commune) => {
	expect(findGreffe(commune)).toBeNull();
});
