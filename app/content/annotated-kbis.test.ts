import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeRubrics } from "./annotated-kbis.tsx";
import { rubrics } from "./rubrics.ts";
import { isPart } from "./text.ts";
import { getText } from "./texts.ts";

test("the guide explains each rubric of the drawn extract, in its order", () => {
	const part = getText("/guide-kbis")
		.introduction.filter(isPart)
		.find(({ part }) => part === "kbis");
	const words = (heading: unknown) =>
		String(heading)
			.toLowerCase()
			.split(/[ ,’]+/);
	expect(part?.table?.rows).toHaveLength(rubrics.length);
	for (const [index, rubric] of rubrics.slice(1).entries()) {
		const name = words(part?.table?.rows[index + 1]?.[0]);
		expect(words(rubric.heading.join(" ")).filter((word) => word.length > 2 && name.includes(word))).not.toEqual([]);
	}
});

test("the drawn extract has the headings and labels of C. com. art. A123-65, in their order", () => {
	expect(rubrics.map(({ heading, rows }) => [heading.join(" "), ...rows.map(([label]) => label)])).toMatchInlineSnapshot(`
		[
		  [
		    "Extrait d’immatriculation principale au registre du commerce et des sociétés",
		    "Greffe",
		    "N° de gestion",
		    "À jour au",
		  ],
		  [
		    "Identification de la personne morale",
		    "Immatriculation au RCS, numéro",
		    "Date d’immatriculation",
		    "Dénomination ou raison sociale",
		    "Forme juridique",
		    "Capital social",
		    "Adresse du siège",
		    "Activités principales",
		    "Durée de la personne morale",
		    "Date de clôture de l’exercice",
		  ],
		  [
		    "Gestion, direction, administration, contrôle, associés ou membres",
		    "Président",
		    "Nom, prénoms",
		    "Date et lieu de naissance",
		    "Nationalité",
		  ],
		  [
		    "Renseignements relatifs à l’activité et à l’établissement principal",
		    "Adresse de l’établissement",
		    "Activité(s) exercée(s)",
		    "Date de commencement d’activité",
		    "Origine du fonds ou de l’activité",
		    "Mode d’exploitation",
		  ],
		  [
		    "Observations et renseignements complémentaires",
		    "Mention n° 1 du 5 février 2024",
		  ],
		  [
		    "Fin de l’extrait",
		    "Le greffier",
		    "Code de vérification",
		  ],
		]
	`);
});

test("the style sheet marks each rubric of the drawn extract", () => {
	const styles = readFileSync("app/content/reading-pages.css", "utf8");
	for (const { anchor } of rubrics) expect(styles).toContain(`#${anchor}:is(:target, :hover)) .${anchor}`);
});

test("the rubrics stand below each other on the sheet", () => {
	const { placed, height } = placeRubrics();
	for (const [index, { top, bottom }] of placed.entries()) {
		expect(bottom).toBeGreaterThan(top);
		expect(bottom).toBeLessThan(placed[index + 1]?.top ?? height);
	}
});
