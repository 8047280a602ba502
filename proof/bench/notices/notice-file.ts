import { join } from "node:path";
import { type Random, seededRandom } from "../../../test/random.ts";
import { openLines } from "../synthetic-registry/csv-lines.ts";

export interface NoticeFile {
	file: string;
	notices: number;
	/** Notices about natural persons only, which an import skips. */
	natural: number;
}

interface Family {
	code: string;
	edition: "A" | "B" | "C";
	/** Of all notices: data.gouv.fr, 30 August 2026. */
	share: number;
	/** Of natural persons only; an assumption, the bulletin does not count them. */
	natural: number;
	/** The fields that only this family has. */
	fields(random: Random, day: string): Record<string, unknown>;
}

const text = (value: unknown) => JSON.stringify(value);
const families: readonly Family[] = [
	{
		...{ code: "dpc", edition: "C", share: 26.3, natural: 0 },
		fields: (random, day) => ({
			depot: text({
				...{
					dateCloture: `${Number(day.slice(0, 4)) - 1}-12-31`,
					typeDepot: random.pick(["Comptes annuels et rapports", "Comptes annuels"]),
				},
				descriptif:
					"Les comptes annuels sont accompagnés d'une déclaration de confidentialité en application du premier ou deuxième alinéa de l'article L. 232-25.",
			}),
		}),
	},
	{
		...{ code: "modification", edition: "B", share: 8.49, natural: 0.05 },
		fields: (random) => ({
			modificationsgenerales: text({
				descriptif: random.pick([
					"modification survenue sur le capital (augmentation)",
					"Modification survenue sur l'administration.",
					"Modification de la dénomination. Transfert du siège social. Modification survenue sur l'administration : nomination du Président.",
					"Modification de l'adresse du siège",
				]),
			}),
		}),
	},
	{
		...{ code: "creation", edition: "A", share: 6.55, natural: 0.45 },
		fields: (random, day) => ({
			acte: text({
				...{ dateImmatriculation: day, dateCommencementActivite: day },
				creation: {
					categorieCreation: random.pick([
						"Immatriculation d'une personne morale (B, C, D) suite à création d'un établissement principal",
						"Immatriculation d'une personne morale (B, D) sans activité",
					]),
				},
			}),
			listeetablissements: text({
				etablissement: { origineFonds: "Création", qualiteEtablissement: "Etablissement principal", activite: "conseil ".repeat(25) },
			}),
		}),
	},
	{
		...{ code: "radiation", edition: "B", share: 4.2, natural: 0.5 },
		fields: (random) => ({ radiationaurcs: random.pick([null, text({ radiationPM: "O" }), text({ commentaire: "Radiation d'office" })]) }),
	},
	{
		...{ code: "collective", edition: "A", share: 3.33, natural: 0.2 },
		fields: (random, day) => ({
			jugement: text({
				...{ type: "initial", famille: "Jugement d'ouverture", date: day },
				nature: random.pick([
					"Jugement d'ouverture de liquidation judiciaire",
					"Jugement d'ouverture d'une procédure de redressement judiciaire",
					"Jugement de clôture pour insuffisance d'actif",
					"Dépôt de l'état des créances",
				]),
				complementJugement:
					"Jugement prononçant l'ouverture d'une procédure, désignant un mandataire judiciaire. Les déclarations des créances sont à adresser dans les deux mois à compter de la publication au Bodacc.",
			}),
		}),
	},
	{
		...{ code: "vente", edition: "A", share: 0.89, natural: 0.3 },
		fields: (random) => ({
			acte: text({
				vente: {
					categorieVente: random.pick([
						"Achat d'un fonds par une personne morale (insertion provisoire)",
						"Autre achat, apport, attribution",
					]),
				},
			}),
		}),
	},
	{
		...{ code: "immatriculation", edition: "A", share: 0.73, natural: 0.45 },
		fields: () => ({ acte: text({ immatriculation: { categorieImmatriculation: "Immatriculation suite à transfert" } }) }),
	},
];
const allShares = families.reduce((sum, { share }) => sum + share, 0);
const cities = [
	"Paris",
	"PARIS",
	"Lyon",
	"MARSEILLE",
	"Nanterre",
	"Bobigny",
	"Créteil",
	"LILLE METROPOLE",
	"Nantes",
	"Rennes",
	"compiègne",
];
/** Companies have about eight notices each. */
const noticesPerCompany = 8;
const correctedShare = 0.01;

/**
 * Writes a file of JSON lines with the shapes and the shares of the bulletin's families, in constant memory.
 * @param known SIRENs that notices are about; others are drawn beside them, so that all have about as many notices.
 */
export async function writeNotices(
	folder: string,
	{ notices, known, seed }: { notices: number; known: readonly string[]; seed: number },
): Promise<NoticeFile> {
	const file = join(folder, "annonces-commerciales.jsonl");
	const random = seededRandom(seed);
	const lines = openLines(file, false);
	const companies = Math.ceil(notices / noticesPerCompany);
	let natural = 0;
	for (let index = 0; index < notices; index++) {
		const drawn = Math.floor(random.next() * companies);
		const siren = known[drawn] ?? String(300_000_000 + drawn * 37);
		const family = drawFamily(random);
		const isNatural = random.next() < family.natural;
		if (isNatural) natural++;
		const wait = lines.add(JSON.stringify(makeNotice(random, { index, notices, family, siren, isNatural })));
		if (wait) await wait;
	}
	await lines.close();
	return { file, notices, natural };
}

function drawFamily(random: Random): Family {
	let rest = random.next() * allShares;
	for (const family of families) {
		rest -= family.share;
		if (rest < 0) return family;
	}
	return families[0] as Family;
}

interface Drawn {
	index: number;
	notices: number;
	family: Family;
	siren: string;
	isNatural: boolean;
}

function makeNotice(random: Random, { index, notices, family, siren, isNatural }: Drawn): Record<string, unknown> {
	const { code, edition } = family;
	const issue = Math.floor((index * 18 * 250) / notices);
	const year = 2008 + Math.floor(issue / 250);
	const number = 1 + (index % Math.ceil(notices / (18 * 250)));
	const parution = `${year}${String(1 + (issue % 250)).padStart(4, "0")}`;
	const day = `${year}-${String(1 + Math.floor((issue % 250) / 21)).padStart(2, "0")}-${String(1 + (issue % 21)).padStart(2, "0")}`;
	const spaced = siren.replace(/(...)(...)(...)/, "$1 $2 $3");
	const city = random.pick(cities);
	const id = `${edition}${parution}${number}`;
	const corrects = random.next() < correctedShare;
	const person = isNatural
		? { typePersonne: "pp", nom: "X", prenom: ["X", "X"], nationalite: "française" }
		: {
				typePersonne: "pm",
				denomination: `SOCIETE ${siren}`,
				formeJuridique: "Société à responsabilité limitée",
				capital: { montantCapital: "1000.00", devise: "EUR" },
			};
	return {
		...{ id, publicationavis: edition, parution, dateparution: day, numeroannonce: number },
		...{ typeavis: corrects ? "rectificatif" : "annonce", typeavis_lib: "Avis initial", familleavis: code, familleavis_lib: code },
		...{ numerodepartement: "75", departement_nom_officiel: "Paris", region_code: 11, region_nom_officiel: "Île-de-France" },
		...{ tribunal: `Greffe du Tribunal de Commerce de ${city}`, commercant: `SOCIETE ${siren}`, ville: city, cp: "75010" },
		...{ registre: [siren, spaced], pdf_parution_subfolder: 0, ispdf_unitaire: "oui" },
		listepersonnes: text({
			personne: {
				...person,
				numeroImmatriculation: { numeroIdentification: spaced, codeRCS: "RCS", nomGreffeImmat: city },
				adresseSiegeSocial: { numeroVoie: "1", typeVoie: "rue", nomVoie: "de la Paix", codePostal: "75010", ville: city },
			},
		}),
		...{ listeetablissements: null, jugement: null, acte: null, modificationsgenerales: null, radiationaurcs: null, depot: null },
		...family.fields(random, day),
		...{ listeprecedentexploitant: null, listeprecedentproprietaire: null, divers: null },
		parutionavisprecedent: corrects
			? text({ nomPublication: `BODACC ${edition}`, numeroParution: parution, numeroAnnonce: String(Math.max(1, number - 1)) })
			: null,
		url_complete: `https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${id}`,
	};
}
