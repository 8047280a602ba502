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
 * Suggests the address that was probably meant, when its domain looks like a misspelt mail service: « ada@gmial.com ». A question to
 * the customer, never a refusal: the domain may exist.
 * @param email a valid address. @returns null when the domain raises no question.
 */
export function suggestEmail(email: string): string | null {
	const [, name = "", domain = ""] = /^(.+)@([^@]+)$/.exec(email.trim()) ?? [];
	const meant = suggestDomain(domain.toLowerCase());
	return meant === null ? null : `${name}@${meant}`;
}

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
