import { type FoundAddress, findAddress, isLabel, toPlainText } from "./clean-email.ts";
import { checkEmail, isEmail, joinAround, splitAddresses, splitEmail, stripAccents } from "./email-address.ts";

/** Mail services that many French customers use. An address at one of them is never questioned. */
const domains =
	"gmail.com googlemail.com ymail.com mail.com email.com icloud.com me.com mac.com proton.me protonmail.com protonmail.ch gmx.fr gmx.com aol.com aol.fr msn.com live.fr live.com hotmail.fr hotmail.com outlook.fr outlook.com yahoo.fr yahoo.com orange.fr orange.com wanadoo.fr free.fr sfr.fr sfr.com neuf.fr laposte.net laposte.fr bbox.fr numericable.fr cegetel.net club-internet.fr aliceadsl.fr".split(
		" ",
	);

/** Services that exist under one ending only. */
const single = ["gmail.com", "icloud.com", "wanadoo.fr", "laposte.net", "sfr.fr", "bbox.fr", "numericable.fr"];

/** Endings that do not exist, or that no service above has, and the usual one. */
const endings: Record<string, readonly string[]> = {
	fr: ["f", "r", "ft", "fe", "fd", "frr", "rf", "ffr", "dr", "fr1", "ftr"],
	com: "c co cm om con cmo ocm vom xom comm coml cim cpm cok clm cop coom comn comme c0m comcom comfr dom".split(" "),
	net: ["ne", "ner", "nte", "met", "nett", "bet", "nrt", "ney"],
};

/**
 * Suggests the address that was probably meant: of what is no address, the nearest one, and « ada@gmail.com » for « ada@gmial.com », whose
 * domain looks like a misspelt mail service. A question to the customer, never a refusal: the domain may exist.
 * @param typed as its field was read. @returns null when nothing is to be asked.
 */
export function suggestEmail(typed: string): string | null {
	const text = typed.trim();
	const address = isEmail(text) ? text.replace(/(?<=^|@)www\./gi, "") : repair(text);
	const [name, domain] = splitEmail(address);
	const meant = `${name}@${suggestDomain(domain.toLowerCase()) ?? domain}`;
	return meant !== text && isEmail(meant) ? meant : null;
}

/** The sentence for an invalid address with what was probably meant, for a form without a button that corrects it. */
export function explainEmail(text: string): string | undefined {
	const sentence = checkEmail(text);
	const meant = sentence === undefined ? null : suggestEmail(text);
	return meant === null || sentence?.includes(meant) ? sentence : `${sentence}. Vouliez-vous dire ${meant}\u00a0?`;
}

/** Words that people write for the signs which programs that collect addresses look for. */
const wordsOfAt = /[([{<](?:at|a|@|arobase?)[)\]}>]|[ _-](?:at|chez|arobase?)[ _-]/i;
const wordsOfDot = /[([{](?:dot|point|\.)[)\]}]| (?:dot|point) /gi;

/** @returns what is nearest to an address, of a text that is none; it need not be one. */
function repair(typed: string): string {
	const found = findAddress(toPlainText(typed));
	const text = found && isApart(found) ? found.email : typed;
	if (text.length > 400 || splitAddresses(text).length > 1) return text;
	const marked = text.includes("@") ? text : text.replace(wordsOfAt, "@");
	const parts = joinAround(marked.replace(wordsOfDot, "."), ".").split(/@+/);
	const [name = "", ...rest] = parts.map((part) => part.trim());
	const hosts = new Set(rest.map(readHost).filter(Boolean));
	if (hosts.size > 1) return text;
	const [host] = hosts;
	const [localPart, domain] = host === undefined ? splitAtService(name) : [name, host];
	// of two words before the @, the first may belong to the address or not; a label does not
	const named = joinDots(stripAccents(localPart.replace(/^(?:.*[:(] ?|www\.)|\\$/gi, "")));
	return `${named}@${completeDomain(joinDots(domain, stripHyphens))}`;
}

/**
 * Whether the words around an address are certainly none of it. « ada lovelace@exemple.fr » may have lost a dot; « Ada Lovelace,
 * ada@exemple.fr » and « Ada ada@exemple.fr » have not.
 */
function isApart({ email, before, after }: FoundAddress): boolean {
	if (/^\s*\.\s*\p{L}{2,}$/u.test(after)) return false;
	const words =
		stripAccents(before)
			.toLowerCase()
			.match(/[a-z]{3,}/g) ?? [];
	const isCut = /[\s"']$/.test(before) && !/\.\s*$/.test(before);
	const isNamed = words.some((word) => email.toLowerCase().includes(word)) || (words.length > 1 && /[^\p{L}\p{N}\s]\s*$/u.test(before));
	return isLabel(before) || (isCut && isNamed);
}

/** The domain before other words: « exemple.fr (Ada) ». A service in two words is one: « la poste.net ». */
function readHost(text: string): string {
	const joined = text.replace(/\s/g, "").toLowerCase();
	return domains.includes(joined) ? joined : text.replace(/\s.*$/s, "");
}

/** « jean,,dupont. » is « jean.dupont ». */
const joinDots = (text: string, change = (part: string) => part): string =>
	text
		.split(/[.,;:]/)
		.map(change)
		.filter(Boolean)
		.join(".");

const stripHyphens = (label: string): string => label.replace(/^-+/, "").replace(/(?<!-)-+$/, "");

/** Separates « adagmail.com », whose @ is missing, or came out as the letter beside it on another keyboard. */
function splitAtService(text: string): [string, string] {
	const domain = domains.filter((known) => text.toLowerCase().endsWith(known)).sort((a, b) => b.length - a.length)[0];
	return domain === undefined ? ["", text] : [text.slice(0, -domain.length).replace(/[\sàé"20#&_-]$/, ""), domain];
}

/** « gmail », « gmial », « orangefr », « gmail_com »: the service, whose ending or dot is missing. */
function completeDomain(domain: string): string {
	if (domain.includes(".")) return domain;
	const letters = domain.toLowerCase().replace(/[_/-]/g, "");
	const isMeant = (known: string) => [getLabel(known), known.replace(".", "")].includes(letters);
	return domains.find(isMeant) ?? domains.find((known) => getLabel(known).length > 3 && isNear(letters, getLabel(known))) ?? domain;
}

const getLabel = (domain: string): string => domain.slice(0, domain.lastIndexOf("."));

function suggestDomain(domain: string): string | null {
	const label = getLabel(domain);
	if (label === "" || domains.includes(domain)) return null;
	const ending = domain.slice(label.length + 1);
	const only = single.find((known) => domain.startsWith(`${getLabel(known)}.`));
	if (only) return only;
	const usual = Object.keys(endings).find((key) => endings[key]?.includes(ending)) ?? ending;
	return domains.find((known) => known.endsWith(`.${usual}`) && isNear(label, getLabel(known))) ?? null;
}

/**
 * Whether a name is at most one slip away from another: a letter too many, missing, exchanged or, in longer
 * names, replaced or elsewhere.
 */
function isNear(typed: string, known: string): boolean {
	if (known.length > 4 && sortLetters(typed) === sortLetters(known)) return true;
	let start = 0;
	while (start < typed.length && typed[start] === known[start]) start++;
	const [rest, meant] = [typed.slice(start), known.slice(start)];
	if (rest.slice(1) === meant || rest === meant.slice(1)) return true;
	if (rest.slice(1) === meant.slice(1)) return known.length > 4;
	return rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2);
}

const sortLetters = (text: string): string => [...text].sort().join("");
