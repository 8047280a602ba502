import { expect, test } from "vitest";
import { unmarkedNotices } from "../../../../test/fixtures/bulletin.ts";
import { type ParsedNotice, parseNotice } from "./parse-notice.ts";

const read = (record: Record<string, unknown>) => {
	const row = parseNotice(record);
	if (typeof row === "string") throw new Error(row);
	return row;
};
/** A case of the file by its number, with some of its fields replaced. */
const made = (number: number, fields: Record<string, unknown> = {}) => ({ ...unmarkedNotices[number - 1], ...fields });
const noticeOf = ({ notice }: ParsedNotice) => (typeof notice === "string" ? { skipped: notice } : notice);

test.each([
	[1, { publishedOn: "2026-09-02", family: "creation", kind: "création d’un établissement principal", sirens: ["104049424"] }],
	[2, { family: "immatriculation", kind: "transfert du siège", sirens: ["005781133"], court: "Greffe du tribunal de commerce de Nantes" }],
	[3, { family: "radiation", kind: null }],
	[4, { family: "transfert", kind: null }],
	[5, { family: "radiation", eventOn: null }],
	[7, { family: "modification", kind: "capital", sirens: ["552032534"] }],
	[8, { family: "other", kind: null }],
	[9, { family: "modification", kind: "dissolution, transmission universelle du patrimoine", sirens: ["063200885"] }],
	[
		10,
		{
			...{ family: "vente", kind: "achat d’un fonds", sirens: ["302474648", "326557725"] },
			court: "Greffe du tribunal des activités économiques de Nanterre",
		},
	],
	[12, { family: "vente", kind: "autre achat, apport ou attribution", sirens: ["007050149"] }],
	[13, { kind: "Jugement d'ouverture d'une procédure de redressement judiciaire", eventOn: "2026-09-16" }],
	[15, { kind: "Autre jugement et ordonnance", eventOn: "2026-10-13" }],
	[16, { kind: "Jugement de clôture pour extinction du passif", eventOn: "2026-10-29" }],
	[17, { kind: "Dépôt de l'état des créances", eventOn: "2026-10-02", publishedOn: "2026-11-10" }],
	[18, { kind: "Jugement d'ouverture de liquidation judiciaire", eventOn: "2026-10-07" }],
	[20, { family: "collective", kind: null, eventOn: null, sirens: ["005720784", "006480065"] }],
	[
		21,
		{
			...{ family: "dpc", kind: "comptes consolidés et rapports", eventOn: "2025-12-31", sirens: ["552032534"] },
			court: "Greffe du tribunal des activités économiques de Paris",
		},
	],
	[23, { family: "conciliation", kind: null, eventOn: null, sirens: ["006480065"] }],
	[24, { skipped: "natural-persons" }],
	[25, { skipped: "no-siren" }],
])("case %i of the field guide", (number, expected) => {
	const row = read(made(number));
	expect(noticeOf(row)).toMatchObject(expected);
	expect(row.correction).toBeNull();
	expect(row.url).toBeNull();
});

test.each([
	[6, { target: "B2026017699005", cancels: true }],
	[11, { target: "A2026019599010", cancels: true }],
	[14, { target: "A2026018299013", cancels: false }],
	[19, { target: "A2026019999018", cancels: true }],
	[22, { target: "C2025009999022", cancels: false }],
])("case %i corrects another notice", (number, expected) => {
	expect(read(made(number)).correction).toMatchObject(expected);
});

test("a retraction cancels also where its family is mojibake or in capitals, and an annulled retraction too", () => {
	const retraction = (famille: string) => read(made(19, { jugement: JSON.stringify({ famille }) })).correction?.cancels;
	expect(retraction("RÃ©tractation sur tierce opposition")).toBe(true);
	expect(retraction("RÉTRACTATION SUR TIERCE OPPOSITION")).toBe(true);
	expect(retraction("Jugement d'ouverture")).toBeUndefined();
});

test("« Radiation d’office » alone is a removal", () => {
	const row = read(made(5, { radiationaurcs: '{"commentaire": "Radiation d\'office"}' }));
	expect(noticeOf(row)).toMatchObject({ family: "radiation", kind: "radiation d’office" });
	expect(row.correction).toBeNull();
});

test.each([
	[null],
	[""],
	["{broken"],
	["[]"],
	['{"nomPublication": "BODACC A"}'],
	['{"nomPublication": "JO", "numeroParution": "20260176", "numeroAnnonce": "12"}'],
	['{"nomPublication": "BODACC A", "numeroParution": "20260176", "numeroAnnonce": "12 bis"}'],
])("a correction of an unreadable notice (%s) has no target", (parutionavisprecedent) => {
	expect(read(made(14, { parutionavisprecedent })).correction).toMatchObject({ target: null, cancels: false });
});

test("a correction without a company is known as a correction all the same", () => {
	const { notice, correction } = read(made(14, { registre: null, listepersonnes: null }));
	expect(notice).toBe("no-siren");
	expect(correction).toEqual({ publishedOn: "2026-09-30", target: "A2026018299013", cancels: false });
});

test("parts of a record may be objects in place of texts, and numbers in place of digits", () => {
	const record = made(14);
	const objects = Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, typeof value === "string" && /^[{[]/.test(value) ? JSON.parse(value) : value]),
	);
	objects.registre = 6850093; // without its leading zeros
	objects.parutionavisprecedent = { nomPublication: "BODACC A", numeroParution: 20260182, numeroAnnonce: 99013 };
	expect(read(objects)).toEqual(read(record));
});

test.each<[what: string, registre: unknown]>([
	["a list", ["552032534", "552 032 534"]],
	["a text with commas", "552 032 534,552032534"],
	["a text", "552032534"],
	["no-break spaces", ["552\u00a0032\u00a0534"]],
	["a list in a text", '["552032534","552 032 534"]'],
	["what is no SIREN beside it", ["552032534", "RCS non inscrit", "12345678", "5520325341", null, {}, "000000000"]],
	["nothing: the persons have it", []],
])("reads the SIREN of %s", (_, registre) => {
	expect(noticeOf(read(made(7, { registre })))).toMatchObject({ sirens: ["552032534"] });
});

const person = (typePersonne: string, number?: string, other: object = {}) => ({
	...{ typePersonne, ...other },
	...(number ? { numeroImmatriculation: { numeroIdentification: number } } : {}),
});
const sale = (registre: string[], persons: object[], owners: object[] = []) =>
	made(12, {
		registre,
		listepersonnes: JSON.stringify({ personne: persons }),
		listeprecedentproprietaire: JSON.stringify(owners.map((personne) => ({ personne }))),
	});

test("of a notice about companies and natural persons, only what is a company’s for certain is kept", () => {
	const both = ["552032534", "111222333"];
	const sirens = (record: Record<string, unknown>) => noticeOf(read(record));
	expect(sirens(sale(both, [person("pm", "552 032 534"), person("pp", "111 222 333")]))).toMatchObject({ sirens: ["552032534"] });
	expect(sirens(sale(both, [person("pm", "552032534")], [person("pp", "111222333")]))).toMatchObject({ sirens: ["552032534"] });
	expect(sirens(sale(both, [person("pp", "111222333")], [person("pm", "552032534")]))).toMatchObject({ sirens: ["552032534"] });
	// a natural person whose number is not given apart
	expect(sirens(sale(both, [person("pm", "552032534"), person("pp")]))).toMatchObject({ sirens: ["552032534"] });
	const tradesman = { inscriptionRM: { numeroIdentificationRM: "111222333 RM 75" } };
	expect(sirens(sale(both, [person("pm", "552032534"), person("pp", undefined, tradesman)]))).toMatchObject({ sirens: ["552032534"] });
});

test("a notice about natural persons only is skipped, also where its lists are broken", () => {
	expect(read(sale(["111222333"], [person("pp", "111222333")], [person("pp")])).notice).toBe("natural-persons");
	expect(read(sale(["111222333"], [{ nom: "X", prenom: ["X"] }])).notice).toBe("natural-persons");
	expect(read(made(7, { listepersonnes: '{"personne": {"typePersonne": "pp", "nom": "X' })).notice).toBe("natural-persons");
	// a company whose list is broken or missing keeps its notice
	expect(noticeOf(read(made(7, { listepersonnes: '{"personne": {"typePersonne": "pm", ' })))).toMatchObject({ kind: "capital" });
	expect(noticeOf(read(made(7, { listepersonnes: null })))).toMatchObject({ kind: "capital" });
});

test("SIRENs of persons get their leading zeros back", () => {
	expect(noticeOf(read(sale([], [person("pm", "7050149")])))).toMatchObject({ sirens: ["007050149"] });
	expect(read(sale([], [person("pm", "0")])).notice).toBe("no-siren");
	expect(read(sale([], [person("pm", "5520325341")])).notice).toBe("no-siren");
	// neither « pm » nor « pp », and without a name: a company
	expect(noticeOf(read(sale([], [{ numeroImmatriculation: { numeroIdentification: "552032534" } }])))).toMatchObject({
		sirens: ["552032534"],
	});
	expect(noticeOf(read(sale([], [person(" PM ", "552032534", { nom: "X" })])))).toMatchObject({ sirens: ["552032534"] });
	const tradeRegister = { inscriptionRM: { numeroIdentificationRM: "552 032 534" } };
	expect(noticeOf(read(sale([], [person("pm", undefined, tradeRegister)])))).toMatchObject({ sirens: ["552032534"] });
});

test.each([
	["Jugement prononçant l'interdiction de gérer"],
	["JUGEMENT PRONONCANT LA FAILLITE PERSONNELLE"],
	["Jugement prononÃ§ant l'interdiction de gÃ©rer"],
	["Jugement prononçant l’interdiction prévue à l’article L.653-8 du code de commerce"],
])("a sanction against a person is skipped: %s", (nature) => {
	expect(read(made(13, { jugement: JSON.stringify({ nature }) })).notice).toBe("sanction");
});

test("an invented notice is refused", () => {
	for (const _invented of [true, "true"])
		expect(parseNotice(made(7, { _invented }))).toMatchObject({ notice: "invented", correction: null });
});

test("keeps another address on bodacc.fr, and no other address", () => {
	const old = "https://www.bodacc.fr/annonce/detail-annonce/B/20220227/446";
	const url = (url_complete: unknown) => read(made(7, { url_complete })).url;
	expect(url(old)).toBe(old);
	const longest = "https://www.bodacc.fr/".padEnd(300, "x");
	expect([url(longest), url(`${longest}x`)]).toEqual([longest, null]);
	for (const other of [
		...["http://www.bodacc.fr/x", "https://www.bodacc.fr.example.com/", "https://evil.example/bodacc.fr", "javascript:alert(1)"],
		...[`https://www.bodacc.fr/${"x".repeat(400)}`, 'https://www.bodacc.fr/"onmouseover', "https://www.bodacc.fr/\u0000", 5, null, {}],
	])
		expect(url(other)).toBeNull();
});

test.each([
	["no id", { id: null }],
	["a number as id", { id: 20260165470 }],
	["an id of another data set", { id: "552032534" }],
	["an id without a number", { id: "A20260165" }],
	["an id with an endless number", { id: "A202601651234567890" }],
	["no day", { dateparution: null }],
	["a number as day", { dateparution: 20260628 }],
	["a day that does not exist", { dateparution: "2026-02-30" }],
	["an absurd year", { dateparution: "5019-01-01" }],
])("refuses a record with %s", (_, fields) => {
	expect(parseNotice(made(7, fields))).toMatch(/^no (id|day)/);
});

test("attaches a notice to two hundred companies, not to thousands", () => {
	const sirens = (count: number) => Array.from({ length: count }, (_, index) => String(100_000_000 + index));
	expect(noticeOf(read(made(7, { registre: sirens(200) })))).toMatchObject({ sirens: sirens(200) });
	expect(noticeOf(read(made(7, { registre: sirens(1000) })))).toMatchObject({ sirens: sirens(1000) });
	expect(parseNotice(made(7, { registre: sirens(1001) }))).toBe("more than 1000 companies");
});

test("stores no name, address or free text", () => {
	const secret = "DUPONT";
	const text = JSON.stringify({
		descriptif: secret,
		commentaire: secret,
		nature: `Jugement ${secret}`,
		typeDepot: secret,
		complementJugement: secret,
	});
	for (const number of [1, 4, 7, 10, 13, 21, 23]) {
		const fields = ["acte", "modificationsgenerales", "radiationaurcs", "jugement", "depot", "divers"].map((name) => [name, text]);
		const act = JSON.stringify({ creation: { categorieCreation: secret }, vente: { categorieVente: secret } });
		const record = made(number, { ...Object.fromEntries(fields), acte: act, commercant: secret, ville: secret, tribunal: secret });
		expect(JSON.stringify(read(record))).not.toContain(secret);
	}
});

test("a family that the bulletin does not have is none, whatever its name", () => {
	for (const familleavis of ["constructor", "toString", "avis", "", null])
		expect(read(made(7, { familleavis })).notice).toMatchObject({ family: "other" });
	expect(read(made(7, { familleavis: " MODIFICATION " })).notice).toMatchObject({ family: "modification" });
});

test("a notice without its particulars has no kind and corrects nothing", () => {
	expect(noticeOf(read(made(7, { modificationsgenerales: null, typeavis: null })))).toMatchObject({ family: "modification", kind: null });
	expect(noticeOf(read(made(13, { jugement: null })))).toMatchObject({ family: "collective", kind: null, eventOn: null });
	expect(read(made(14, { typeavis: null })).correction).toBeNull();
});

test("the day of an event is that of 1950 or later, and at most in the year after the publication", () => {
	const eventOn = (date: string) => noticeOf(read(made(13, { dateparution: "2026-11-10", jugement: JSON.stringify({ date }) })));
	expect(eventOn("1950-01-01")).toMatchObject({ eventOn: "1950-01-01" });
	expect(eventOn("1949-12-31")).toMatchObject({ eventOn: null });
	expect(eventOn("2027-12-31")).toMatchObject({ eventOn: "2027-12-31" });
	expect(eventOn("2028-01-01")).toMatchObject({ eventOn: null });
});

test.each<[Record<string, unknown>]>([
	[{ typeavis: 5, familleavis: 7, tribunal: 9, registre: true, listepersonnes: 4, jugement: [], parutionavisprecedent: 3, acte: "[]" }],
	[{ registre: { a: 1 }, listepersonnes: '[[[{"personne":[null,5,"x",[]]}]]]', listeprecedentproprietaire: "null" }],
	[{ listepersonnes: '{"personne":{"typePersonne":5,"numeroImmatriculation":"x"}}', jugement: '"text"', depot: "5" }],
	[{ listepersonnes: `${"[".repeat(50_000)}`, jugement: `${'{"a":'.repeat(50_000)}` }],
	[{ tribunal: "\u0000".repeat(1000), dateparution: "2026-06-28", jugement: '{"nature":"\\u0000","date":"\\u0000"}' }],
	[{ __proto__: null, constructor: 5, toString: 6 }],
])("answers whatever the fields hold", (fields) => {
	for (const number of [1, 7, 13, 21]) expect(parseNotice(made(number, fields))).toBeTypeOf("object");
});
