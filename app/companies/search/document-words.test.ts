import { expect, test } from "vitest";
import { readDocumentWords } from "./document-words.ts";

test.each([
	["kbis plomberie martin", "kbis", "plomberie martin"],
	["KBIS Danone", "KBIS", "Danone"],
	["extrait kbis sncf", "extrait kbis", "sncf"],
	["extrait k bis sncf", "extrait k bis", "sncf"],
	["k-bis sncf", "k-bis", "sncf"],
	["k‑bis sncf", "k‑bis", "sncf"],
	["extraits kbis d’airbus", "extraits kbis", "airbus"],
	["extrait de kbis d'airbus", "extrait de kbis", "airbus"],
	["extrait d’immatriculation sncf", "extrait d’immatriculation", "sncf"],
	["extrait d'immatriculation de sncf", "extrait d'immatriculation", "sncf"],
	["extrait K Martin", "extrait K", "Martin"],
	["extrait rcs sncf", "extrait rcs", "sncf"],
	["extrait du registre du commerce et des sociétés de sncf", "extrait du registre du commerce et des sociétés", "sncf"],
	["kbis de la poste", "kbis", "la poste"],
	["kbis pour sncf", "kbis", "sncf"],
	["sncf kbis", "kbis", "sncf"],
	["plomberie martin, extrait kbis", "extrait kbis", "plomberie martin"],
	["kbis : sncf", "kbis", "sncf"],
	["sncf : extrait kbis", "extrait kbis", "sncf"],
	["Nom : kbis sncf", "kbis", "sncf"],
	["extrait kbis N° SIREN : 552 032 534", "extrait kbis", "552 032 534"],
	["N° SIREN : kbis", "kbis", ""],
	["martin kbis lyon", "kbis", "martin lyon"],
	["kbis sncf kbis", "kbis kbis", "sncf"],
	["kbis", "kbis", ""],
	["Extrait Kbis", "Extrait Kbis", ""],
	["k-bis ?", "k-bis", ""],
])("« %s » names « %s » and « %s »", (query, document, rest) => {
	expect(readDocumentWords(query)).toEqual({ document, rest });
});

test.each([
	["", "nothing"],
	["danone", "a name"],
	["extrait de parfum", "a name that begins like the document"],
	["extraits et arômes", "another one"],
	["akbis", "a longer word"],
	["kbiscuits martin", "a word that begins like the document"],
	["12 k bisson", "a word that begins like a part of it"],
	["immatriculation auto", "a trade"],
	['"kbis services"', "quotation marks"],
	["« kbis services »", "French ones"],
	["“kbis”", "curly ones"],
])("« %s » (%s) names no document", (query) => {
	expect(readDocumentWords(query)).toBeNull();
});
