// INSEE's API Sirene 3.11 for tests: answers over HTTP, in the shape that its documentation shows, from rows of the stock files.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { establishment, madeUpEstablishments, madeUpUnits, type Row, unit } from "./made-up-sirene.ts";

interface Request {
	at: number;
	path: string;
	parameters: Record<string, string>;
	key: string | undefined;
	/** Characters of its address. */
	length: number;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

export interface MadeUpInsee {
	base: string;
	/** What it knows; may be changed at any time. */
	units: Row[];
	establishments: Row[];
	/** Rows of a page, whatever was asked for. */
	pageSize: number;
	/** Answers another thing than it should: to the so manieth request, from 1. "silence" never answers. */
	trouble: (count: number, request: Request) => Answer | "silence" | undefined;
	requests: Request[];
	close(): Promise<void>;
}

export const madeUpKey = "11111111-2222-3333-4444-555555555555";

const historical =
	/^(dateDebut|(etatAdministratif|nom|nomUsage|denomination|denominationUsuelle\d?|categorieJuridique|activitePrincipale|nomenclatureActivitePrincipale|nicSiege|economieSocialeSolidaire|societeMission|caractereEmployeur|enseigne\d)(UniteLegale|Etablissement))$/;
const address =
	/^(complementAdresse|numeroVoie|indiceRepetition|dernierNumeroVoie|typeVoie|libelle|distributionSpeciale|code(Postal|Commune|Cedex|Pays)|identifiantAdresse|coordonnee)/;

/** @param now the clock by which it notes when requests came. */
export async function madeUpInsee(now: () => number): Promise<MadeUpInsee> {
	const sockets = createServer((request, response) => {
		const url = new URL(request.url ?? "", "http://insee.example");
		const asked: Request = {
			at: now(),
			path: url.pathname,
			parameters: Object.fromEntries(url.searchParams),
			key: request.headers["x-insee-api-key-integration"] as string | undefined,
			length: String(request.url).length,
		};
		insee.requests.push(asked);
		const answer = insee.trouble(insee.requests.length, asked) ?? answerTo(insee, asked);
		if (answer === "silence") return;
		response.writeHead(answer.status, { "content-type": "application/json;charset=utf-8", ...answer.headers });
		response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}));
	});
	await new Promise<void>((ready) => sockets.listen(0, "127.0.0.1", ready));
	const insee: MadeUpInsee = {
		base: `http://127.0.0.1:${(sockets.address() as AddressInfo).port}/api-sirene/3.11`,
		units: [],
		establishments: [],
		pageSize: 1000,
		trouble: () => undefined,
		requests: [],
		close: () =>
			new Promise((closed) => {
				sockets.close(() => closed());
				sockets.closeAllConnections();
			}),
	};
	return insee;
}

function answerTo(insee: MadeUpInsee, { path, parameters, key }: Request): Answer {
	if (key !== madeUpKey) return { status: 401, body: { header: { statut: 401, message: "Unauthorized" } } };
	const { q = "", champs, date, curseur = "*", nombre } = parameters;
	const units = path.endsWith("/siren");
	const found = (units ? insee.units : insee.establishments).filter((row) => matches(row, q, date)).map(units ? toUnit : toEstablishment);
	if (found.length === 0) return { status: 404, body: { header: { statut: 404, message: `Aucun élément trouvé pour q=${q}` } } };
	const start = curseur === "*" ? 0 : Number(atob(curseur));
	const page = found.slice(start, start + Math.min(Number(nombre), insee.pageSize));
	const header = {
		statut: 200,
		message: "OK",
		total: found.length,
		debut: 0,
		nombre: page.length,
		curseur,
		curseurSuivant: page.length === 0 ? curseur : btoa(String(start + page.length)),
	};
	const only = champs?.split(",");
	const rows = only ? page.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => only.includes(name)))) : page;
	return { status: 200, body: { header, [units ? "unitesLegales" : "etablissements"]: rows } };
}

function matches(row: Row, q: string, date: string | undefined): boolean {
	const span = /^(dateDernierTraitement\w+):\[(\S+) TO (\S+)\]$/.exec(q);
	if (span) {
		const [, name = "", from = "", to = ""] = span;
		const day = row[name]?.slice(0, 10) ?? "";
		return day >= from && day <= to;
	}
	const some = /^siren:\(((?:\d{9}(?: OR )?)+)\)( AND \(etablissementSiege:true OR periode\(etatAdministratifEtablissement:A\)\))?$/.exec(
		q,
	);
	if (!some) throw new Error(`a question that INSEE does not understand: ${q}`);
	const [, sirens = "", open] = some;
	// without a date, any period that ever was would do
	const wanted = !open || row.etablissementSiege === "true" || row.etatAdministratifEtablissement === "A" || date !== "2999-12-31";
	return sirens.split(" OR ").includes(row.siren ?? "") && wanted;
}

function toUnit(row: Row): Record<string, unknown> {
	const { others: lasting, matching: now } = split(row, historical);
	const former = { ...now, dateDebut: "2000-01-01", denominationUniteLegale: "ANCIEN NOM", etatAdministratifUniteLegale: "A" };
	return { ...lasting, periodesUniteLegale: periods(now, former) };
}

function toEstablishment(row: Row): Record<string, unknown> {
	const { others: lasting, matching: now } = split(row, historical);
	const { others: rest, matching: place } = split(lasting, address);
	const [second, first] = ["2Etablissement", ""].map((ending) =>
		Object.fromEntries(Object.entries(place).filter(([name]) => name.endsWith("2Etablissement") === (ending !== ""))),
	);
	const former = { ...now, dateDebut: "2000-01-01", enseigne1Etablissement: "ANCIENNE ENSEIGNE", etatAdministratifEtablissement: "A" };
	return {
		...rest,
		nic: row.siret?.slice(9),
		etablissementSiege: row.etablissementSiege === "true",
		uniteLegale: {},
		adresseEtablissement: first,
		adresse2Etablissement: second,
		periodesEtablissement: periods(now, former),
	};
}

/** The newest first, as INSEE has them. */
function periods(now: Record<string, unknown>, former: Record<string, unknown>) {
	return [
		{ ...now, dateFin: null, dateDebut: "2020-01-01" },
		{ ...former, dateFin: "2019-12-31" },
	];
}

function split(row: Record<string, unknown>, pattern: RegExp) {
	const entries = Object.entries(row).map(([name, value]) => [name, value === "" ? null : value] as const);
	return {
		others: Object.fromEntries(entries.filter(([name]) => !pattern.test(name))),
		matching: Object.fromEntries(entries.filter(([name]) => pattern.test(name))),
	};
}

/** When INSEE last treated the made-up units, and when those that changed. */
export const before = "2026-11-18T08:00:00.000";
export const after = "2026-11-20T19:30:12.123";

/** What INSEE knows after some changes: units renamed, moved, ceased, new, masked and no longer masked, and a new trade sign. */
export function madeUpChanges(): Pick<MadeUpInsee, "units" | "establishments"> {
	const units = new Map<string, Row>();
	for (const row of madeUpUnits.slice(0, -1)) units.set(row.siren ?? "", { ...row, dateDernierTraitementUniteLegale: before });
	const establishments = new Map<string, Row>();
	for (const row of madeUpEstablishments) establishments.set(row.siret ?? "", { ...row, dateDernierTraitementEtablissement: before });
	const change = (siren: string, row: Row) => units.set(siren, { ...units.get(siren), dateDernierTraitementUniteLegale: after, ...row });
	const add = (siret: string, row: Row) =>
		establishments.set(siret, { ...establishment(siret, row), dateDernierTraitementEtablissement: after });
	change("100000005", { denominationUniteLegale: "ZÉPHYR GROUPE" });
	change("100000001", { nicSiegeUniteLegale: "00029" });
	add("10000000100011", { siege: "false", etatAdministratif: "F", libelleCommune: "AJACCIO" });
	// INSEE may still call a former one the head office, before or after the one that the unit names
	add("10000000100003", { etatAdministratif: "F", libelleVoie: "ANCIEN SIEGE", libelleCommune: "NANTES" });
	add("10000000100029", {
		numeroVoie: "8",
		typeVoie: "RUE",
		libelleVoie: "NEUVE",
		codePostal: "35000",
		libelleCommune: "RENNES",
		codeCommune: "35238",
	});
	add("10000000100099", { etatAdministratif: "F", libelleVoie: "ANCIEN SIEGE", libelleCommune: "NANTES" });
	change("100000006", { etatAdministratifUniteLegale: "C" });
	units.set("100000020", {
		...unit("100000020", {
			denomination: "BOULANGERIE DU LEVANT",
			categorieJuridique: "5710",
			nomenclatureActivitePrincipale: "NAFRev2",
			activitePrincipale: "10.71C",
		}),
		dateDernierTraitementUniteLegale: after,
	});
	add("10000002000011", {
		typeVoie: "PL",
		libelleVoie: "DU MARCHE",
		codePostal: "75011",
		libelleCommune: "PARIS 11",
		codeCommune: "75111",
		enseigne1: "LE PETRIN",
	});
	change("100000007", { statutDiffusionUniteLegale: "P", sigleUniteLegale: "[ND]", denominationUniteLegale: "[ND]" });
	change("100000002", { statutDiffusionUniteLegale: "O", denominationUniteLegale: "PLUS DE SECRET" });
	add("10000000300045", { siege: "false", enseigne1: "L'ESCALE" });
	return { units: [...units.values()], establishments: [...establishments.values()] };
}
