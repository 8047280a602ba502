import { parseSiren } from "../../companies/siren.ts";
import { asObject, asObjects, type JsonObject, readText } from "./records.ts";

/** A person whom a notice names, without the name. */
export interface Person {
	/** Whether it is a legal person. */
	legal: boolean;
	siren: string | null;
}

const lists = ["listepersonnes", "listeprecedentproprietaire", "listeprecedentexploitant"] as const;

/**
 * Lists the persons of a notice: those it is about, and earlier owners and operators. A list may be broken JSON; when it then speaks of
 * natural persons only, the answer is « natural ».
 */
export function listPersons(record: JsonObject): Person[] | "natural" {
	const persons = lists.flatMap((list) =>
		asObjects(record[list]).flatMap((entry) => ("personne" in entry ? asObjects(entry.personne) : [entry]).map(readPerson)),
	);
	const broken = persons.length === 0 && typeof record.listepersonnes === "string" ? record.listepersonnes : "";
	return /typePersonne\W+pp\b/.test(broken) && !/typePersonne\W+pm\b/.test(broken) ? "natural" : persons;
}

/** The bulletin writes « pm » or « pp »; a person without either is natural when it has a first name. */
function readPerson(person: JsonObject): Person {
	const type = readText(person, "typePersonne")?.trim().toLowerCase();
	const legal = type === "pm" || (type !== "pp" && !("prenom" in person) && !("nom" in person));
	return { legal, siren: readSiren(person) };
}

/** Digits only, with the leading zeros that a copy as numbers has lost. */
function readSiren(person: JsonObject): string | null {
	const number =
		readText(asObject(person.numeroImmatriculation), "numeroIdentification") ??
		readText(asObject(person.inscriptionRM), "numeroIdentificationRM");
	const digits = number?.replace(/\D/g, "") ?? "";
	return digits.length > 0 && digits.length <= 9 && Number(digits) > 0 ? digits.padStart(9, "0") : null;
}

/**
 * Returns the SIRENs of the legal persons of a notice, each once: those of its field `registre` (a list, or one text with commas; each is
 * there with and without spaces), else those of the persons. Beside natural persons, only what a legal person has for certain.
 * Where no person can be read, all of `registre`: one of them may be that of a sole trader, which a notice alone does not tell. What reads
 * stored notices drops those of units of legal category 1000.
 */
export function listSirens(registre: unknown, persons: readonly Person[]): string[] {
	const legal = new Set(persons.flatMap((person) => (person.legal && person.siren !== null ? [person.siren] : [])));
	const natural = new Set(persons.flatMap((person) => (!person.legal && person.siren !== null ? [person.siren] : [])));
	const listed = readRegistre(registre);
	const sirens = listed.length > 0 ? listed : [...legal];
	const hasNatural = persons.some((person) => !person.legal);
	return [...new Set(sirens)].filter((siren) => !natural.has(siren) && (!hasNatural || legal.has(siren)));
}

function readRegistre(registre: unknown): string[] {
	const parts = Array.isArray(registre) ? registre : [registre];
	return parts
		.flatMap((part) => (typeof part === "string" ? part.split(/[,;]/) : typeof part === "number" ? [String(part).padStart(9, "0")] : []))
		.flatMap((part) => parseSiren(part.replace(/[\s"[\]]/g, "")) ?? [])
		.filter((siren) => siren !== "000000000");
}
