import type { JsonObject } from "../../../../server/files/json-records.ts";
import { parseCalendarDay } from "../../calendar-day.ts";
import { formatGreffeName } from "../../greffes/greffe-names.ts";
import { parseSiren } from "../../siren.ts";
import { type NoticeFamily, noticeUrl } from "../notice.ts";
import { findAccountsKind, findChanges, findNature, findRegistrationKind, isRetraction, isSanction } from "./notice-kinds.ts";
import { fold, memoize, namesPerson, toPlainLine } from "./plain-text.ts";
import { asObject, asObjects, readText } from "./records.ts";

/** A notice as it is stored. Days are yyyy-mm-dd. */
export interface StoredNotice {
	publishedOn: string;
	eventOn: string | null;
	family: NoticeFamily;
	court: string | null;
	kind: string | null;
	/** Each once. */
	sirens: string[];
}

/** What the notice does to another one. */
export interface StoredCorrection {
	publishedOn: string;
	/** The id of the other notice; null where it cannot be read. */
	target: string | null;
	cancels: boolean;
}

/** Why nothing of a notice is attached to a company. */
export type SkipReason = "natural-persons" | "sanction" | "no-siren" | "invented";

export interface ParsedNotice {
	id: string;
	/** Null where it is the usual one, `noticeUrl(id)`. */
	url: string | null;
	notice: StoredNotice | SkipReason;
	correction: StoredCorrection | null;
}

/** The codes of familleavis that are families. */
const families: ReadonlySet<string> = new Set<NoticeFamily>([
	...(["creation", "immatriculation", "modification", "radiation"] as const),
	...(["collective", "conciliation", "vente", "dpc"] as const),
]);
const isFamily = (code: string): code is NoticeFamily => families.has(code);
/** The bulletin is open since 2008; its first issues are older. */
const [firstYear, lastYear] = [1990, 2100];
const firstEventYear = 1950;
const maxSirens = 1000;
const idPattern = /^[ABC]\d{8}\d{1,9}$/;

/**
 * Reads a record of the bulletin's export « annonces-commerciales ». Keeps what is about legal persons: no names, addresses or free texts.
 * Source: data.gouv.fr, « BODACC », fields of explore v2.1; the rules that the State found for its own use of them.
 * @returns a sentence for a record that is no notice.
 */
export function parseNotice(record: JsonObject): ParsedNotice | string {
	const id = readText(record, "id")?.trim() ?? "";
	if (!idPattern.test(id)) return "no id of a notice";
	const publishedOn = parseNoticeDay(record.dateparution, firstYear, lastYear);
	if (publishedOn === null) return "no day of publication";
	const url = readUrl(record.url_complete);
	const row = { id, url: url === noticeUrl(id) ? null : url };
	// a fixture on a real company, which no page may show
	if (record._invented === true || record._invented === "true") return { ...row, notice: "invented", correction: null };

	const code = (readText(record, "familleavis") ?? "").trim().toLowerCase();
	// a procedure of natural persons only
	if (code === "retablissement_professionnel") return { ...row, notice: "natural-persons", correction: null };
	const judgment = asObject(record.jugement);
	const removal = fold(readText(asObject(record.radiationaurcs), "commentaire") ?? "");
	const correction = readCorrection(record, { publishedOn, judgment, removal });

	const persons = listPersons(record);
	if (persons === "natural" || (persons.length > 0 && persons.every(({ legal }) => !legal)))
		return { ...row, notice: "natural-persons", correction };
	if (["nature", "famille"].some((field) => isSanction(readText(judgment, field) ?? ""))) return { ...row, notice: "sanction", correction };
	const sirens = listSirens(record.registre, persons);
	if (sirens.length === 0) return { ...row, notice: "no-siren", correction };
	if (sirens.length > maxSirens) return `more than ${maxSirens} companies`;

	const isMove = code === "radiation" && removal === "transfert du siege hors ressort";
	const family = isMove ? "transfert" : isFamily(code) ? code : "other";
	const eventDay = family === "dpc" ? asObject(record.depot).dateCloture : judgment.date;
	return {
		...row,
		notice: {
			publishedOn,
			eventOn: parseNoticeDay(eventDay, firstEventYear, Number(publishedOn.slice(0, 4)) + 1),
			family,
			court: formatCourt(record.tribunal),
			kind: findKind(family, record, judgment, removal),
			sirens,
		},
		correction,
	};
}

function findKind(family: NoticeFamily, record: JsonObject, judgment: JsonObject, removal: string): string | null {
	switch (family) {
		case "modification":
			return findChanges(readText(asObject(record.modificationsgenerales), "descriptif") ?? "");
		case "collective":
		case "conciliation":
			return findNature(readText(judgment, "nature") ?? "");
		case "creation":
		case "immatriculation":
		case "vente": {
			const act = asObject(record.acte);
			const category = ["creation", "immatriculation", "vente"].map((name) =>
				readText(asObject(act[name]), `categorie${name[0]?.toUpperCase()}${name.slice(1)}`),
			);
			return findRegistrationKind(category.find((text) => text !== null) ?? "");
		}
		case "dpc":
			return findAccountsKind(readText(asObject(record.depot), "typeDepot") ?? "");
		case "radiation":
			return removal === "radiation d'office" ? "radiation d’office" : null;
		default:
			return null;
	}
}

/** Notices that correct say so in typeavis; two kinds of cancellation do not. */
function readCorrection(
	record: JsonObject,
	{ publishedOn, judgment, removal }: { publishedOn: string; judgment: JsonObject; removal: string },
): StoredCorrection | null {
	const type = fold(readText(record, "typeavis") ?? "");
	const retracts = isRetraction(readText(judgment, "famille") ?? "");
	if (type !== "rectificatif" && type !== "annulation" && !retracts) return null;
	const cancels = type === "annulation" || retracts || removal === "rapport de radiation d'office";
	return { publishedOn, target: readTarget(asObject(record.parutionavisprecedent)), cancels };
}

/** The id of the corrected notice: the last letter of « BODACC A », the issue, and the number as an integer. */
function readTarget(previous: JsonObject): string | null {
	const edition = /\b([ABC])\s*$/i.exec(readText(previous, "nomPublication") ?? "")?.[1]?.toUpperCase();
	const issue = readText(previous, "numeroParution")?.trim() ?? "";
	const number = readText(previous, "numeroAnnonce")?.trim() ?? "";
	if (!edition || !/^\d{8}$/.test(issue) || !/^\d{1,12}$/.test(number)) return null;
	const target = `${edition}${issue}${Number(number)}`;
	return idPattern.test(target) ? target : null;
}

/** An address on bodacc.fr; null for any other text. */
function readUrl(value: unknown): string | null {
	if (typeof value !== "string" || value.length > 300 || !/^https:\/\/(?:www\.)?bodacc\.fr\/[!-~]*$/.test(value)) return null;
	return /["'<>\\`]/.test(value) ? null : value;
}

const months = [
	...["janvier", "fevrier", "mars", "avril", "mai", "juin"],
	...["juillet", "aout", "septembre", "octobre", "novembre", "decembre"],
];

/**
 * Reads a day in any of the bulletin's three forms: « 2026-09-15 », « 15/09/2026 », « 1er octobre 2026 ».
 * @returns yyyy-mm-dd; null for anything else, a day that does not exist, or a year out of the given ones.
 */
export function parseNoticeDay(value: unknown, firstYear: number, lastYear: number): string | null {
	if (typeof value !== "string" || value.length > 40) return null;
	const [year, month, date] = splitDay(value);
	if (year < firstYear || year > lastYear) return null;
	return parseCalendarDay(`${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`);
}

function splitDay(value: string): [year: number, month: number, date: number] {
	const iso = /^\s*(\d{4})-(\d{2})-(\d{2})(?:T|\s|$)/.exec(value);
	if (iso) return [Number(iso[1]), Number(iso[2]), Number(iso[3])];
	const slashes = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(value);
	if (slashes) return [Number(slashes[3]), Number(slashes[2]), Number(slashes[1])];
	const words = /^(\d{1,2})(?:er)? ([a-z]+) (\d{4})$/.exec(fold(value));
	return words ? [Number(words[3]), months.indexOf(words[2] ?? "") + 1, Number(words[1])] : [0, 0, 0];
}

/** A person whom a notice names, without the name. */
interface Person {
	/** Whether it is a legal person. */
	legal: boolean;
	siren: string | null;
}

const lists = ["listepersonnes", "listeprecedentproprietaire", "listeprecedentexploitant"] as const;

/**
 * Lists the persons of a notice: those it is about, and earlier owners and operators. A list may be broken JSON; when it then speaks of
 * natural persons only, the answer is « natural ».
 */
function listPersons(record: JsonObject): Person[] | "natural" {
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
function listSirens(registre: unknown, persons: readonly Person[]): string[] {
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

/** Kinds of court, as they are looked for and as they are written. */
const courts: readonly [pattern: RegExp, name: string][] = [
	[/^(?:tribunal de commerce|tc)\b/, "tribunal de commerce"],
	[/^tribunal des activites economiques\b/, "tribunal des activités économiques"],
	[/^tribunal judiciaire\b/, "tribunal judiciaire"],
	[/^(?:tribunal de grande instance|tgi)\b/, "tribunal de grande instance"],
	[/^tribunal de premiere instance\b/, "tribunal de première instance"],
	[/^tribunal mixte de commerce\b/, "tribunal mixte de commerce"],
	[/^tribunal d'instance\b/, "tribunal d’instance"],
	[/^tribunal de proximite\b/, "tribunal de proximité"],
	[/^cour d'appel\b/, "cour d’appel"],
];
const maxLength = 120;

/**
 * Writes a court's registry in one way, whatever letters and spaces the bulletin has: « Greffe du tribunal de commerce de Paris ».
 * @returns null for what names no court: the field then holds something else.
 */
export const formatCourt = (value: unknown): string | null => (typeof value === "string" ? format(value) : null);

const format = memoize((value) => {
	if (value.length > 4 * maxLength) return null;
	const line = toPlainLine(value);
	if (line.length > maxLength || /\d/.test(line)) return null;
	const registry = /^greffe (?:du |de la |d[eu']\s?)?/.exec(fold(line))?.[0] ?? "";
	const folded = fold(line).slice(registry.length);
	const [pattern, name] = courts.find(([court]) => court.test(folded)) ?? [];
	if (!pattern || !name) return null;
	const rest = line.slice(registry.length + (pattern.exec(folded)?.[0].length ?? 0)).trim();
	const [, typedLink = "", city = ""] = /^(d'|de la |de l'|des |du |de |à )?\s*(.*)$/is.exec(rest) ?? [];
	const court = registry ? `Greffe ${name === "cour d’appel" ? "de la " : "du "}${name}` : `${name[0]?.toUpperCase()}${name.slice(1)}`;
	if (city === "" || city.length > 40 || !/^[\p{L}' .()-]+$/u.test(city) || namesPerson(city)) return court;
	return `${court} ${formatLink(typedLink, city)}`;
});

/** « de Paris », « d’Évry », « du Mans », « de La Rochelle » */
function formatLink(typed: string, city: string): string {
	const link = typed.toLowerCase().trim();
	if (link === "du") return formatLink("", `le ${city}`);
	if (link === "des") return formatLink("", `les ${city}`);
	const name = formatGreffeName(link === "de la" ? `la ${city}` : city);
	const [, article, rest = ""] = /^(Le|Les) (.*)$/.exec(name) ?? [];
	if (article) return `${article === "Le" ? "du" : "des"} ${rest}`;
	// before the name of a town usage elides any h, as in « d’Hazebrouck »: nameWithOf, for words and companies, elides a mute one only
	return /^[aeiouyh]/.test(fold(name)) && !/^(?:Le |La )/.test(name) ? `d’${name}` : `de ${name}`;
}
