import { expect, test } from "vitest";
import { formatLabel } from "./letter-label.ts";

const address = { name: "Élodie Lefèvre", complement: null, address: "12 bis, rue de l’Abbé-Grégoire", postalCode: "75006", city: "Paris" };

test("a label has the name as written, then street and city in capitals without accents and punctuation", () => {
	expect(formatLabel(address)).toEqual(["Élodie Lefèvre", "12 BIS RUE DE L ABBE GREGOIRE", "75006 PARIS"]);
	expect(formatLabel({ ...address, complement: "Bâtiment B" })[1]).toBe("Bâtiment B");
});

test("a label has at most six lines of 38 characters, and keeps street and city", () => {
	const label = formatLabel({
		name: "Société anonyme des établissements réunis de la plomberie parisienne, Élodie Lefèvre-Moreau de La Tour",
		complement: "Bâtiment B, escalier 3, quatrième étage, porte gauche, derrière la cour",
		address: "1234 avenue du Maréchal de Lattre de Tassigny prolongée",
		postalCode: "97133",
		city: "Saint-Barthélemy-d’Anjou-sur-Loire-les-Bains",
	});
	expect(label).toHaveLength(6);
	expect(Math.max(...label.map(({ length }) => length))).toBeLessThanOrEqual(38);
	expect(label.slice(2).join(" ")).toBe(
		"1234 AVENUE DU MARECHAL DE LATTRE DE TASSIGNY PROLONGEE 97133 SAINT BARTHELEMY D ANJOU SUR LOIRE LES BAINS",
	);
	expect(formatLabel({ ...address, name: "x".repeat(100) })[0]).toHaveLength(38);
});
