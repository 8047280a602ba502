import type { Random } from "../../../test/random.ts";
import { brand, brandCount, surname, surnameCount } from "./rare-words.ts";
import { quote, type Sample, unquote } from "./sample.ts";

const split = (words: string) => words.trim().split(/\s+/);

/** Frequent first names in France, the most frequent first. */
export const men = split(`
	JEAN MICHEL PHILIPPE PIERRE ALAIN NICOLAS PATRICK CHRISTOPHE LAURENT THOMAS DAVID JULIEN CHRISTIAN DANIEL BERNARD ERIC THIERRY
	FREDERIC ALEXANDRE PASCAL SEBASTIEN OLIVIER STEPHANE MAXIME ANTOINE JACQUES FRANCOIS GERARD DOMINIQUE DIDIER ANTHONY ROMAIN
	KEVIN BENJAMIN VINCENT GUILLAUME BRUNO CLEMENT FABRICE JEROME MATHIEU LUCAS HUGO CLAUDE SERGE MARC ANDRE JEREMY CEDRIC FLORIAN
	QUENTIN ADRIEN ARNAUD GILLES VALENTIN LOUIS PAUL YVES MOHAMED XAVIER FRANCK LUDOVIC DAMIEN REMI GREGORY SAMUEL HERVE FABIEN
	JEAN-PIERRE JEAN-LUC DENIS SIMON GAEL YANN KARIM MEHDI LOIC`);
export const women = split(`
	MARIE NATHALIE ISABELLE SYLVIE CATHERINE CELINE JULIE CHRISTINE SANDRINE VALERIE STEPHANIE AURELIE LAURA CAMILLE SOPHIE EMILIE
	MARTINE VERONIQUE FRANCOISE SANDRA VIRGINIE CHARLOTTE ANNE PATRICIA CORINNE LAURENCE KARINE LEA MANON MARINE CAROLINE MELANIE
	PAULINE AUDREY CLAIRE SARAH AGNES BRIGITTE MONIQUE MATHILDE PASCALE CHANTAL FLORENCE DELPHINE ANNIE ELODIE MARION CLARA EMMA
	LUCIE ANAIS CHLOE JUSTINE ALICE HELENE MURIEL FABIENNE JESSICA AMANDINE VANESSA MYRIAM FATIMA ALEXANDRA LAETITIA MORGANE OCEANE
	CECILE MAGALI ANNE-MARIE BEATRICE CAROLE JOSIANE JULIETTE INES FANNY`);

/** Frequent surnames in France, the most frequent first. */
export const frequentSurnames = split(`
	MARTIN BERNARD DUBOIS THOMAS ROBERT RICHARD PETIT DURAND LEROY MOREAU SIMON LAURENT LEFEBVRE MICHEL GARCIA DAVID BERTRAND ROUX
	VINCENT FOURNIER MOREL GIRARD ANDRE LEFEVRE MERCIER DUPONT LAMBERT BONNET FRANCOIS MARTINEZ LEGRAND GARNIER FAURE ROUSSEAU BLANC
	GUERIN MULLER HENRY ROUSSEL NICOLAS PERRIN MORIN MATHIEU CLEMENT GAUTHIER DUMONT LOPEZ FONTAINE CHEVALIER ROBIN MASSON SANCHEZ
	GERARD NGUYEN BOYER DENIS LEMAIRE DUVAL JOLY GAUTIER ROGER ROCHE ROY NOEL MEYER LUCAS MEUNIER JEAN PEREZ MARCHAND DUFOUR
	BLANCHARD MARIE BARBIER BRUN DUMAS BRUNET SCHMITT LEROUX COLAS FERNANDEZ PIERRE RENARD ARNAUD ROLLAND CARON AUBERT GIRAUD
	LECLERC VIDAL BOURGEOIS RENAUD LEMOINE PICARD GAILLARD PHILIPPE LECLERCQ LACROIX FABRE DUPUIS OLIVIER RODRIGUEZ DASILVA HUBERT
	LOUIS CHARLES GUILLOT RIVIERE LEGOFF GUILLAUME ADAM REY MOULIN GONZALEZ BERGER LECOMTE MENARD FLEURY DESCHAMPS CARPENTIER JULIEN
	BENOIT PARIS MAILLARD MARCHAL AUBRY VASSEUR LEROYER RENAULT PETITJEAN MILLET ROYER COLLET PREVOST POIRIER BERTIN DANIEL POULAIN
	COUSIN DELMAS HUET REMY KLEIN SCHNEIDER BOUCHER`);

/** An index from 0 to below `count`; low ones are more frequent, the more so the higher the exponent. */
const drawLow = (random: Random, count: number, exponent: number) => Math.floor(random.next() ** exponent * count);
const drawFrequent = (random: Random, list: readonly string[], exponent: number) => list[drawLow(random, list.length, exponent)] as string;

/** The name cells of a sole trader who does not exist. */
export function drawPerson(random: Random): Record<string, string> {
	const isWoman = random.next() < 0.4;
	const drawFirstName = () => drawFrequent(random, isWoman ? women : men, 2.5);
	const firstName = drawFirstName();
	const secondName = random.next() < 0.4 ? drawFirstName() : "";
	return {
		sexe: isWoman ? "F" : "M",
		prenom1: firstName,
		prenom2: secondName,
		prenom3: secondName && random.next() < 0.5 ? drawFirstName() : "",
		prenomUsuel: firstName,
		nom: drawSurname(random),
		nomUsage: isWoman && random.next() < 0.12 ? drawSurname(random) : "",
	};
}

/** One of the frequent surnames, or of a long tail of generated ones. */
function drawSurname(random: Random): string {
	return random.next() < 0.2 ? drawFrequent(random, frequentSurnames, 2) : surname(drawLow(random, surnameCount, 2.5));
}

/**
 * Draws company names: one in twenty is a name of the sample, as a register has many companies of one name; the others combine the first,
 * middle and last words of several names. About one in three has a rare word, so that new words appear as the registry grows.
 */
export function companyNames(units: Sample): (random: Random) => string {
	const names = units.rows.map((row) => unquote(row[units.at("denomination")] ?? "")).filter(Boolean);
	const split = names.map((name) => name.split(/\s+/));
	const several = split.filter(({ length }) => length > 1);
	const single = split.filter(({ length }) => length === 1).flat();
	const first = several.map((words) => words[0] as string);
	const middle = several.flatMap((words) => words.slice(1, -1));
	const last = several.map((words) => words.at(-1) as string);
	const stems = [...new Set(split.flat())].filter((word) => /^[A-Z]{4,9}$/.test(word));
	const shortestFirst = [...new Set(names)].sort((a, b) => a.length - b.length);
	return (random) => {
		if (random.next() < 0.05) return quote(drawFrequent(random, shortestFirst, 2));
		const { length } = random.pick(split);
		const rare = random.next() < (length === 1 ? 0.6 : 0.28) ? brand(drawLow(random, brandCount, 2), stems) : undefined;
		if (length === 1) return quote(rare ?? random.pick(single));
		const words = [random.pick(first), ...Array.from({ length: length - 2 }, () => random.pick(middle)), rare ?? random.pick(last)];
		return quote(words.join(" ").slice(0, 120).trimEnd()); // the register keeps 120 characters
	};
}
