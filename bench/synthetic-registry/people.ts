import type { Random } from "../random.ts";
import { byRank, drawFrom, happens, lowOften } from "./chances.ts";
import { surname, surnameCount } from "./rare-words.ts";

/** Frequent first names in France, the most frequent first. */
export const men = (
	"JEAN MICHEL PHILIPPE PIERRE ALAIN NICOLAS PATRICK CHRISTOPHE LAURENT THOMAS DAVID JULIEN CHRISTIAN DANIEL BERNARD ERIC THIERRY " +
	"FREDERIC ALEXANDRE PASCAL SEBASTIEN OLIVIER STEPHANE MAXIME ANTOINE JACQUES FRANCOIS GERARD DOMINIQUE DIDIER ANTHONY ROMAIN KEVIN " +
	"BENJAMIN VINCENT GUILLAUME BRUNO CLEMENT FABRICE JEROME MATHIEU LUCAS HUGO CLAUDE SERGE MARC ANDRE JEREMY CEDRIC FLORIAN QUENTIN " +
	"ADRIEN ARNAUD GILLES VALENTIN LOUIS PAUL YVES MOHAMED XAVIER FRANCK LUDOVIC DAMIEN REMI GREGORY SAMUEL HERVE FABIEN JEAN-PIERRE " +
	"JEAN-LUC DENIS SIMON GAEL YANN KARIM MEHDI LOIC"
).split(" ");
export const women = (
	"MARIE NATHALIE ISABELLE SYLVIE CATHERINE CELINE JULIE CHRISTINE SANDRINE VALERIE STEPHANIE AURELIE LAURA CAMILLE SOPHIE EMILIE " +
	"MARTINE VERONIQUE FRANCOISE SANDRA VIRGINIE CHARLOTTE ANNE PATRICIA CORINNE LAURENCE KARINE LEA MANON MARINE CAROLINE MELANIE " +
	"PAULINE AUDREY CLAIRE SARAH AGNES BRIGITTE MONIQUE MATHILDE PASCALE CHANTAL FLORENCE DELPHINE ANNIE ELODIE MARION CLARA EMMA LUCIE " +
	"ANAIS CHLOE JUSTINE ALICE HELENE MURIEL FABIENNE JESSICA AMANDINE VANESSA MYRIAM FATIMA ALEXANDRA LAETITIA MORGANE OCEANE CECILE " +
	"MAGALI ANNE-MARIE BEATRICE CAROLE JOSIANE JULIETTE INES FANNY"
).split(" ");

/** Very frequent surnames in France, the most frequent first. */
export const frequentSurnames = [
	..."MARTIN BERNARD DUBOIS THOMAS ROBERT RICHARD PETIT DURAND LEROY MOREAU SIMON LAURENT LEFEBVRE MICHEL GARCIA DAVID BERTRAND".split(" "),
	..."ROUX VINCENT FOURNIER MOREL GIRARD ANDRE LEFEVRE MERCIER DUPONT LAMBERT BONNET FRANCOIS MARTINEZ LEGRAND GARNIER FAURE".split(" "),
	..."ROUSSEAU BLANC GUERIN MULLER HENRY ROUSSEL NICOLAS PERRIN MORIN MATHIEU CLEMENT GAUTHIER DUMONT LOPEZ FONTAINE CHEVALIER".split(" "),
	..."ROBIN MASSON SANCHEZ GERARD NGUYEN BOYER DENIS LEMAIRE DUVAL JOLY GAUTIER ROGER ROCHE ROY NOEL MEYER LUCAS MEUNIER JEAN".split(" "),
	..."PEREZ MARCHAND DUFOUR BLANCHARD MARIE BARBIER BRUN DUMAS BRUNET SCHMITT LEROUX COLAS FERNANDEZ PIERRE RENARD ARNAUD ROLLAND".split(
		" ",
	),
	..."CARON AUBERT GIRAUD LECLERC VIDAL BOURGEOIS RENAUD LEMOINE PICARD GAILLARD PHILIPPE LECLERCQ LACROIX FABRE DUPUIS OLIVIER".split(" "),
	..."RODRIGUEZ DASILVA HUBERT LOUIS CHARLES GUILLOT RIVIERE LEGOFF GUILLAUME ADAM REY MOULIN GONZALEZ BERGER LECOMTE MENARD".split(" "),
	..."FLEURY DESCHAMPS CARPENTIER JULIEN BENOIT PARIS MAILLARD MARCHAL AUBRY VASSEUR LEROYER RENAULT PETITJEAN MILLET ROYER COLLET".split(
		" ",
	),
	..."PREVOST POIRIER BERTIN DANIEL POULAIN COUSIN DELMAS HUET REMY KLEIN SCHNEIDER BOUCHER".split(" "),
];

const drawMan = drawFrom(byRank(men, 0.6));
const drawWoman = drawFrom(byRank(women, 0.6));
const drawFrequentSurname = drawFrom(byRank(frequentSurnames, 0.5));

const shareOfWomen = 0.4;
const shareOfFrequentSurnames = 0.2;
const shareWithUsedSurname = 0.12;

export interface Person {
	sex: "M" | "F";
	firstNames: readonly [string, string?, string?];
	surname: string;
	/** The name that she uses instead, her husband's mostly. */
	usedSurname?: string;
}

/** Someone who does not exist. */
export function drawPerson(random: Random): Person {
	const woman = happens(random, shareOfWomen);
	const draw = woman ? drawWoman : drawMan;
	const first = draw(random);
	const second = happens(random, 0.4) ? draw(random) : undefined;
	return {
		sex: woman ? "F" : "M",
		firstNames: [first, second, second && happens(random, 0.5) ? draw(random) : undefined],
		surname: drawSurname(random),
		usedSurname: woman && happens(random, shareWithUsedSurname) ? drawSurname(random) : undefined,
	};
}

/** One of the frequent surnames, or one of a long tail of made-up ones. */
function drawSurname(random: Random): string {
	return happens(random, shareOfFrequentSurnames) ? drawFrequentSurname(random) : surname(lowOften(random, surnameCount, 2.5));
}
