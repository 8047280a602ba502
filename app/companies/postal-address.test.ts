import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { findCommuneName } from "./addresses/communes.server.ts";
import { formatStreet, toPostalAddress } from "./postal-address.ts";

/** The letters and digits alone, with every ordinal as « 3e ». */
const foldOrdinals = (text: string) =>
	text
		.normalize("NFD")
		.toLowerCase()
		.replace(/(?<=\d|\b[ivx]+)i?eme(?![a-z])/g, "e")
		.replace(/[^a-z0-9]/g, "");

describe("a street in the register's capitals", () => {
	test.each([
		["59 RUE LA FAYETTE", "59 rue La Fayette"],
		["RUE DE LA PAIX", "Rue de la Paix"],
		["AVENUE JRGG DE LA LAUZIERE", "Avenue JRGG de la Lauziere"],
		["RUE DU CDT LHERMINIER", "Rue du Cdt Lherminier"],
		["RUE DU DR ROUX", "Rue du Dr Roux"],
		["85 CHEMIN ST-ANGE", "85 chemin St-Ange"],
		["85 CHEMIN ST ANGE", "85 chemin St-Ange"],
		["355 RUE SAINT MARTIN", "355 rue Saint-Martin"],
		["12 RUE D ALSACE", "12 rue d’Alsace"],
		["12 RUE D'ALSACE", "12 rue d’Alsace"],
		["12 B RUE D’ALSACE", "12 B rue d’Alsace"],
		["12 D ALLEE DES PINS", "12 D allée des Pins"],
		["5 BIS RUE GAILLARD", "5 bis rue Gaillard"],
		["5TER RUE GAILLARD", "5ter rue Gaillard"],
		["3 PLACE DE L EGLISE", "3 place de l’Église"],
		["1 RUE HONORE D ESTIENNE D ORVES", "1 rue Honoré d’Estienne d’Orves"],
		["1 RUE JEAN-BAPTISTE BIARD", "1 rue Jean-Baptiste Biard"],
		["RUE VILLENEUVE-SUR-LOT", "Rue Villeneuve-sur-Lot"],
		["RUE HENRI IV", "Rue Henri IV"],
		["PLACE JEAN-PAUL II", "Place Jean-Paul II"],
		["AVENUE PIERRE IER DE SERBIE", "Avenue Pierre Ier de Serbie"],
		["RUE DU XIXE SIECLE", "Rue du XIXe Siecle"],
		["AVENUE DU 8 MAI 1945", "Avenue du 8 mai 1945"],
		["RUE DE LA 2EME DB", "Rue de la 2e DB"],
		["3EME ETAGE", "3e étage"],
		["1ER ETAGE", "1er étage"],
		["RUE A", "Rue A"],
		["10 RUE A. BRIAND", "10 rue A. Briand"],
		["14 A 16", "14 A 16"],
		["1 CAR BEAUPEYRAT", "1 carrefour Beaupeyrat"],
		["12 BIS CHE DE LA BRIQUETERIE", "12 bis chemin de la Briqueterie"],
		["4 MTE DES ACCOULES", "4 montée des Accoules"],
		["59 RUE DOM PEDRO", "59 rue Dom Pedro"],
		["2 RUE CAR AND CO", "2 rue Car And Co"],
		["CAR BEAUPEYRAT", "Car Beaupeyrat"],
		["12 CAR", "12 Car"],
		["ZONE INDUSTRIELLE DU PARC", "Zone industrielle du Parc"],
		["PARC D'ACTIVITES", "Parc d’activités"],
		["ZA LES PINS", "ZA Les Pins"],
		["ZI", "ZI"],
		["BP 45", "BP 45"],
		["CS 40001", "CS 40001"],
		["LIEU DIT LE BOURG", "Lieu dit Le Bourg"],
		["12 GRANDE RUE", "12 grande rue"],
		["BATIMENT 01 A", "Bâtiment 01 A"],
		["RUE O'BRIEN", "Rue O’Brien"],
		["PARIS LA DEFENSE CEDEX", "Paris La Défense CEDEX"],
		["LONDRES (ROYAUME-UNI)", "Londres (Royaume-Uni)"],
		["59 rue La Fayette", "59 rue La Fayette"],
		["-", "-"],
		["", ""],
	])("%s is written %s", (register, written) => {
		expect(formatStreet(register)).toBe(written);
	});

	test("is written without capitals in every address of the sample, and once only", () => {
		const [header = "", ...lines] = gunzipSync(readFileSync("data/sirene/StockEtablissement_utf8.csv.gz")).toString().split("\n");
		const columns = ["libelleVoie", "complementAdresse", "libelleCommune"].map((name) => header.split(",").indexOf(`${name}Etablissement`));
		const texts = new Set(lines.flatMap((line) => columns.map((column) => line.split(",")[column] ?? "")));
		expect(texts.size).toBeGreaterThan(10_000);
		for (const text of texts) {
			const written = formatStreet(text);
			expect(formatStreet(written)).toBe(written);
			if (/\p{L}{6}/u.test(text)) expect(written).toMatch(/\p{Ll}/u);
			// « 58 BD … » is spelt out
			if (!/^\d+ [A-Z]{2,3} /.test(text)) expect(foldOrdinals(written)).toBe(foldOrdinals(text));
		}
	});
});

const register = { address: "59 RUE LA FAYETTE", address_complement: "ETAGE 2", postal_code: "42000", city: "SAINT ETIENNE" };

test("a postal address has the official name of its commune, or the register's label", () => {
	expect(toPostalAddress(register, findCommuneName("42218"))).toEqual({
		complement: "Étage 2",
		street: "59 rue La Fayette",
		postalCode: "42000",
		city: "Saint-Étienne",
	});
	expect(toPostalAddress(register, null)?.city).toBe("Saint-Étienne");
	expect(toPostalAddress({ ...register, city: "DORTMUND" }, null)?.city).toBe("Dortmund");
	expect(toPostalAddress({ address: null, address_complement: null, postal_code: null, city: null }, null)).toBeNull();
});

test.each([
	["75109", "Paris"],
	["69383", "Lyon"],
	["13201", "Marseille"],
	["97502", "Saint-Pierre"],
	["98818", "Nouméa"],
	["01001", "L’Abergement-Clémenciat"],
	["00000", null],
	["", null],
])("the commune %s is called %s", (code, name) => {
	expect(findCommuneName(code)).toBe(name);
});

test.each([
	["26100", "ROMANS-SUR-ISERE", "Romans-sur-Isère"],
	["26100", "Romans sur Isère", "Romans-sur-Isère"],
	["42000", "ST ETIENNE", "Saint-Étienne"],
	["75003", "PARIS", "Paris"],
	["83470", "SEILLONS-SOURCE-D'ARGENS", "Seillons-Source-d’Argens"],
	["26100", "PARIS", null],
	["26100", "ROMANS", null],
	["00000", "ROMANS-SUR-ISERE", null],
	["26100", null, null],
	[null, "ROMANS-SUR-ISERE", null],
])("a commune without its code, %s %s, is %s", (postalCode, label, name) => {
	expect(findCommuneName(null, postalCode, label)).toBe(name);
});
