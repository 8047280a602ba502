import { checkEmail, isEmail, joinAround, splitAddresses, splitEmail, stripAccents } from "./email-address.ts";

/** Mail services that many French customers use. An address at one of them is never questioned. */
const domains =
	"gmail.com googlemail.com ymail.com mail.com email.com icloud.com me.com mac.com proton.me protonmail.com gmx.fr gmx.com aol.com aol.fr msn.com live.fr live.com hotmail.fr hotmail.com outlook.fr outlook.com yahoo.fr yahoo.com orange.fr orange.com wanadoo.fr free.fr sfr.fr sfr.com neuf.fr laposte.net laposte.fr bbox.fr numericable.fr cegetel.net club-internet.fr aliceadsl.fr".split(
		" ",
	);

/** Endings that do not exist, or that no service above has, and the usual one. */
const endings: Record<string, readonly string[]> = {
	fr: ["f", "r", "ft", "fe", "fd", "frr", "rf", "ffr"],
	com: ["c", "co", "cm", "om", "con", "cmo", "ocm", "vom", "xom", "comm", "coml", "cim"],
	net: ["ne", "ner", "nte", "met", "nett", "bet"],
};

/**
 * Suggests the address that was probably meant: of what is no address, the nearest one, and « ada@gmail.com » for « ada@gmial.com », whose
 * domain looks like a misspelt mail service. A question to the customer, never a refusal: the domain may exist.
 * @param typed as its field was read. @returns null when nothing is to be asked.
 */
export function suggestEmail(typed: string): string | null {
	const text = typed.trim();
	const address = isEmail(text) ? text.replace(/^www\./i, "") : repair(text);
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
const wordsOfAt = /[([{](?:at|a|@|arobase?)[)\]}]| (?:at|chez|arobase?) /i;
const wordsOfDot = /[([{](?:dot|point|\.)[)\]}]| (?:dot|point) /gi;

/** @returns what is nearest to an address, of a text that is none; it need not be one. */
function repair(text: string): string {
	if (text.length > 400 || splitAddresses(text).length > 1) return text;
	const marked = text.includes("@") ? text : text.replace(wordsOfAt, "@");
	const parts = joinAround(marked.replace(wordsOfDot, "."), ".").split(/@+/);
	const [name = "", ...rest] = parts.map((part) => part.trim());
	const hosts = new Set(rest.map((part) => part.replace(/\s.*$/s, "")).filter(Boolean));
	if (hosts.size > 1) return text;
	const [host] = hosts;
	const [localPart, domain] = host === undefined ? splitAtService(name) : [name, host];
	// of two words before the @, the first may belong to the address or not; a label does not
	const named = joinDots(stripAccents(localPart.replace(/^(?:.*[:(] ?|www\.)/i, "")));
	return `${named}@${completeDomain(joinDots(domain, stripHyphens))}`;
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
	return domain === undefined ? ["", text] : [text.slice(0, -domain.length).replace(/[à2]$/, ""), domain];
}

/** « gmail », « orangefr »: the service, whose ending or dot is missing. */
const completeDomain = (domain: string): string =>
	domain.includes(".")
		? domain
		: (domains.find((known) => [known.split(".")[0], known.replace(".", "")].includes(domain.toLowerCase())) ?? domain);

function suggestDomain(domain: string): string | null {
	const end = domain.lastIndexOf(".");
	if (end < 1 || domains.includes(domain)) return null;
	const [label, ending] = [domain.slice(0, end), domain.slice(end + 1)];
	// the one service that exists under no other ending
	if (label === "gmail") return "gmail.com";
	const usual = Object.keys(endings).find((key) => endings[key]?.includes(ending)) ?? ending;
	const near = domains.filter((known) => known.endsWith(`.${usual}`) && isNear(label, known.slice(0, known.lastIndexOf("."))));
	return near[0] ?? null;
}

/** Whether a name is at most one slip away from another: a letter too many, missing, exchanged or, in longer names, replaced. */
function isNear(typed: string, known: string): boolean {
	if (typed === known) return true;
	let start = 0;
	while (start < typed.length && typed[start] === known[start]) start++;
	const [rest, meant] = [typed.slice(start), known.slice(start)];
	if (rest.slice(1) === meant || rest === meant.slice(1)) return true;
	if (rest.slice(1) === meant.slice(1)) return known.length > 4;
	return rest[0] === meant[1] && rest[1] === meant[0] && rest.slice(2) === meant.slice(2);
}
