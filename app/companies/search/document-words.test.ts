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
	["extrait kbis N° SIREN : 552 032 534", "extrait kbis N° SIREN", "552 032 534"],
	["N° SIREN : kbis", "N° SIREN kbis", ""],
	["martin kbis lyon", "kbis", "martin lyon"],
	["kbis sncf kbis", "kbis kbis", "sncf"],
	["kbis", "kbis", ""],
	["Extrait Kbis", "Extrait Kbis", ""],
	["k-bis ?", "k-bis", ""],
	["kbis gratuit", "kbis gratuit", ""],
	["extrait kbis gratuit en ligne", "extrait kbis gratuit en ligne", ""],
	["kbis danone pdf", "kbis pdf", "danone"],
	["siren danone", "siren", "danone"],
	["danone siret", "siret", "danone"],
	["numéro siren de danone", "numéro siren", "danone"],
	["n° de siret danone", "n° de siret", "danone"],
	["SIREN : 552 032 534", "SIREN", "552 032 534"],
	["avis de situation danone", "avis de situation", "danone"],
	["avis de situation sirene danone", "avis de situation sirene", "danone"],
	["statuts de danone", "statuts", "danone"],
])("« %s » names « %s » and « %s »", (query, document, rest) => {
	expect(readDocumentWords(query)).toEqual({ document, rest, namesSoleTrader: false });
});

test.each([
	["kbis auto-entrepreneur martin plomberie", "kbis auto-entrepreneur", "martin plomberie"],
	["auto entrepreneur martin", "auto entrepreneur", "martin"],
	["martin autoentrepreneur", "autoentrepreneur", "martin"],
	["Auto-entrepreneuse Martin", "Auto-entrepreneuse", "Martin"],
	["martin en auto-entreprise", "en auto-entreprise", "martin"],
	["kbis micro-entreprise jean martin", "kbis micro-entreprise", "jean martin"],
	["micro entreprise martin", "micro entreprise", "martin"],
	["microentrepreneurs martin", "microentrepreneurs", "martin"],
	["kbis gratuit auto-entrepreneur", "kbis auto-entrepreneur gratuit", ""],
	["auto-entrepreneur", "auto-entrepreneur", ""],
])("« %s » names sole traders, « %s », and « %s »", (query, document, rest) => {
	expect(readDocumentWords(query)).toEqual({ document, rest, namesSoleTrader: true });
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
	["entrepreneur martin", "a word of a name"],
	["artisan martin", "another word of a name"],
	["micro du gravier", "a half of a kind of business"],
	["parfum gratuit en ligne", "an addition without a document"],
	["la sirene", "a longer word than a label"],
	["sirena conseil", "another longer word"],
	['"kbis services"', "quotation marks"],
	["« kbis services »", "French ones"],
	["“kbis”", "curly ones"],
])("« %s » (%s) names no document", (query) => {
	expect(readDocumentWords(query)).toBeNull();
});
