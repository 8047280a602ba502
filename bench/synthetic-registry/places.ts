import { communesByPostalCode } from "../../app/addresses/communes.server.ts";
import type { Random } from "../random.ts";
import { below, counted, drawFrom, happens, lowOften } from "./chances.ts";
import { type Cells, quoted } from "./csv-lines.ts";
import type { SampleFile } from "./sample.ts";

/** By the official names of the columns, without their ending. */
interface Place {
	codePostal: string;
	libelleCommune: string;
	codeCommune: string;
}

const share = { anyCommune: 1 / 3, foreign: 0.003, cedex: 0.065, numbered: 0.85, repetition: 0.037, complement: 0.12 };

/** Cities abroad with their countries, by INSEE's codes. */
const abroad = [
	{ city: "BRUXELLES", country: "BELGIQUE", code: "99131" },
	{ city: "LONDRES", country: "ROYAUME-UNI", code: "99132" },
	{ city: "LUXEMBOURG", country: "LUXEMBOURG", code: "99137" },
	{ city: "GENEVE", country: "SUISSE", code: "99140" },
	{ city: "MADRID", country: "ESPAGNE", code: "99134" },
	{ city: "MILAN", country: "ITALIE", code: "99127" },
	{ city: "BERLIN", country: "ALLEMAGNE", code: "99109" },
	{ city: "AMSTERDAM", country: "PAYS-BAS", code: "99135" },
	{ city: "MONACO", country: "MONACO", code: "99138" },
	{ city: "NEW YORK", country: "ETATS-UNIS", code: "99404" },
];

/** Cities whose arrondissements have postal codes and INSEE codes that end alike: 75008 is 75108. */
const arrondissements: Record<string, number> = { "75056": 75_100, "69123": 69_380, "13055": 13_200 };

const drawRepetition = drawFrom([
	["B", 80],
	["T", 12],
	["A", 5],
	["C", 3],
]);

/** Addresses: two thirds in the places of the sample, as frequent as there, a third in any commune by its population. */
export function addresses(establishments: SampleFile): (random: Random, legalPerson: boolean) => Cells {
	const streets = establishments
		.rows("typeVoie", "libelleVoie")
		.map(({ typeVoie, libelleVoie }) => ({ typeVoie, libelleVoie: quoted(libelleVoie) }))
		.filter(({ libelleVoie }) => libelleVoie !== "");
	const complements = establishments.values("complementAdresse").map(quoted);
	const seenPlaces: Place[] = establishments
		.rows("codePostal", "libelleCommune", "codeCommune")
		.filter(({ codePostal, libelleCommune, codeCommune }) => codePostal && codeCommune && /^[^",]+$/.test(libelleCommune));
	const drawCommune = communes();

	return (random, legalPerson) => {
		const street = random.pick(streets);
		const numbered = street.typeVoie !== "" && happens(random, share.numbered);
		const road = {
			complementAdresse: happens(random, share.complement) ? random.pick(complements) : "",
			numeroVoie: numbered ? String(1 + lowOften(random, 300, 2)) : "",
			indiceRepetition: numbered && happens(random, share.repetition) ? drawRepetition(random) : "",
			...street,
		};
		if (happens(random, share.foreign)) {
			const { city, country, code } = random.pick(abroad);
			return { ...road, libelleCommuneEtranger: city, codePaysEtranger: code, libellePaysEtranger: country };
		}
		const place = happens(random, share.anyCommune) ? drawCommune(random) : random.pick(seenPlaces);
		return legalPerson && happens(random, share.cedex) ? { ...road, ...place, ...cedex(random, place) } : { ...road, ...place };
	};
}

/** A post box, with the code and label of the office that keeps it. */
function cedex(random: Random, { codePostal, libelleCommune }: Place): Cells {
	const [, city = "", arrondissement = ""] = /^(.*?)( \d+)?$/.exec(libelleCommune) ?? [];
	const overseas = /^9[78]/.test(codePostal);
	return {
		distributionSpeciale: `BP ${1 + below(random, 999)}`,
		codeCedex: overseas ? `${codePostal.slice(0, 3)}9${below(random, 10)}` : `${codePostal.slice(0, 2)}9${10 + below(random, 90)}`,
		libelleCedex: `${city.replace(/^SAINT(E?)-/, "ST$1 ").replaceAll("-", " ")} CEDEX${arrondissement}`,
	};
}

/** Any commune under any of its postal codes, the more often the more people live there. */
function communes(): (random: Random) => Place {
	const cities = [...communesByPostalCode().values()].flat();
	const codesOf = new Map(counted(cities.map(({ citycode }) => citycode)));
	return drawFrom(
		cities.map(({ city, citycode, postcode, population }) => {
			const name = city.toUpperCase().replaceAll("Œ", "OE").normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'");
			const firstArrondissement = arrondissements[citycode];
			const arrondissement = Number(postcode) % 100;
			const place = firstArrondissement
				? { codePostal: postcode, libelleCommune: `${name} ${arrondissement}`, codeCommune: String(firstArrondissement + arrondissement) }
				: { codePostal: postcode, libelleCommune: name, codeCommune: citycode };
			return [place, (population + 200) / (codesOf.get(citycode) ?? 1)];
		}),
	);
}
