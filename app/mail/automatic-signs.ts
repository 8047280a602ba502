import type { Header } from "postal-mime";
import { splitEmail, stripAccents } from "./email-address.ts";

/** What shows that nobody wrote an e-mail (RFC 3834). Names and values are compared in lower case. */

interface Sign {
	/** The name of the header. */
	header: RegExp;
	value: RegExp;
	/** Who writes it. */
	source: string;
}

const any = /^/;
/** Any value but a denial. */
const notDenied = /^(?!(?:no|none|false|0)?$)/;

const signs: readonly Sign[] = [
	{ header: /^(?:x-)?auto-?submitted$/, value: /^(?!no\b)./, source: "RFC 3834, 5" },
	{
		header: /^(?:[a-z]{1,12}-){0,2}auto-?(?:reply|replied|respond|response|responder|generated|answer)(?!-suppress)(?:-[a-z-]{1,30})?$/,
		value: notDenied,
		source: "Gmail, cPanel, Communigate, Kerio, OTRS, Freshdesk: X-Autoreply, X-Mail-Autoreply, X-Autoreply-From, X-OTRS-AutoReply",
	},
	{
		header: /^x-auto-response-suppress$/,
		value: /\b(?:all|oof|autoreply)\b/,
		source: "Exchange [MS-OXCMAIL] 2.2.3.2.14: a machine that wants no answer",
	},
	{ header: /^x-ms-exchange-generated-message-source$/, value: any, source: "Exchange: rules and agents" },
	{
		header: /^(?:x-)?(?:precedence|preference)$/,
		value: /^(?:bulk|list|junk|auto[-_]?reply|auto[-_]?respond|vacation)\b/,
		source: "vacation(1), mailing lists",
	},
	{ header: /^list-id$/, value: any, source: "RFC 2919" },
	{ header: /^return-path$/, value: /^<\s*>$/, source: "RFC 3834, 4; RFC 5321, 4.5.5" },
	{ header: /^(?:x-)?delivered-to$/, value: /^auto-?(?:responder|reply)\b/, source: "qmail autoresponders" },
	{ header: /^x-fc-machinegenerated$/, value: notDenied, source: "FirstClass" },
	{ header: /^x-post-messageclass$/, value: /autoresponder/, source: "Post.Office" },
	{ header: /^(?:x-)?vacation[a-z-]{0,30}$|^x-away$/, value: notDenied, source: "vacation scripts" },
	{ header: /^x-cron-env$/, value: any, source: "cron" },
	{ header: /^feedback-type$/, value: any, source: "RFC 5965" },
];

/**
 * Subjects of automatic answers and receipts, at their beginning, by language, in small letters without accents: the last resort, because
 * a person may write any subject. An answer to one begins with « Re: ».
 */
const subjects: readonly RegExp[] = [
	/^(?:reponse|message|courriel|e-?mail|repondeur) automatique\b|^reponse auto\b/,
	/^(?:auto-?reponse|repondeur)\s*(?:$|[:–-])/,
	/^(?:absence|absente?) du bureau\s*(?:$|[:–-])/,
	/^(?:message|avis|notification) d['’]absence\b/,
	/^(?:accuse|confirmation) de (?:bonne )?reception (?:auto|de (?:votre|ta) )/,
	/^(?:nous avons|on a) bien recu (?:votre|ta)\b/,
	/^votre (?:demande|message|courriel|ticket|e-?mail) (?:a bien ete|est bien) (?:recue?|enregistree?|prise? en compte)/,
	/^auto(?:mat(?:ic|ed))?[\s-]?(?:re(?:ply|sponse|spond)|answer)\b/,
	/^auto\s?:/,
	/^(?:out|away)[\s-]?(?:of|from)[\s-]?(?:(?:the|my)[\s-])?office\b/,
	/^(?:ooo|on (?:vacation|holiday|leave))\s*(?:$|[:–-])/,
	/^(?:vacation|away|absence) (?:reply|message|notice|notification|auto-?reply)\b/,
	/^we(?:['’]ve| have)? received your (?:request|message|e-?mail|ticket)/,
	/^your (?:request|message|e-?mail|ticket)\b.{0,30} (?:has been|was) (?:received|created)\b/,
	/^(?:ticket|request|case) (?:received|created)\b/,
	/^(?:abwesenheit(?:snotiz|snachricht|smeldung)?\b|auto(?:m(?:\.|atische[rs]?))?[\s-]{0,2}(?:antwort|abwesenheit))/,
	/^(?:respuesta automatica|fuera de (?:la )?oficina|ausente de la oficina)/,
	/^(?:risposta automatica|fuori (?:sede|ufficio))/,
	/^(?:automatisch antwoord|afwezigheid(?:sbericht|smelding)?\b|niet aanwezig)/,
	/^(?:resposta automatica|fora do escritorio)/,
	/^(?:autosvar|automatiskt? svar|franvaro)/,
	/^(?:automaattinen vastaus|poissa)/,
	/^(?:odpowiedz automatyczna|autoodpowiedz|automatyczna odpowiedz)/,
	/^(?:automaticka odpoved|automatikus valasz|raspuns automat|otomatik yan[iı]t|αυτοματη απαντηση|автоматическии ответ|автоответ|自动回复|自動返信)/,
	// a receipt of Outlook without its report
	/^(?:lu|non lu|read|not read|gelesen|ungelesen|leido|letto)\s?: /,
];

/** Names of mailboxes that nobody reads, alone or with others. */
const unattended = /(?:^|[-_.+])(?:no|ne|do[-_.]?not|ne[-_.]?pas)[-_.]?(?:reply|repondre|responder|responda)(?![a-z])/;

export const isUnattended = (address: string): boolean => unattended.test(stripAccents(splitEmail(address)[0].toLowerCase()));

interface Fields {
	headers: readonly Header[];
	subject: string;
	/** The sender's address. */
	from: string;
	/** Whether answers go to another address. */
	hasReplyTo: boolean;
}

/** Whether nobody wrote an e-mail: an absence notice, a mailing list, an acknowledgement. « Auto-Submitted: no » is a person's. */
export function isAutomatic({ headers, subject, from, hasReplyTo }: Fields): boolean {
	const isManual = headers.some(({ key, value }) => key === "auto-submitted" && /^no\b/i.test(value));
	if (isManual) return false;
	if (headers.some((each) => signs.some(({ header, value }) => header.test(each.key) && value.test(each.value.toLowerCase())))) return true;
	const title = stripAccents(subject.toLowerCase());
	// what stands in brackets is the name of a list, or the sign itself
	const titles = [title.replace(/^\[[^\]]{0,40}\]\s*/, ""), title.replace(/^\[/, "")];
	if (subjects.some((each) => titles.some((read) => each.test(read)))) return true;
	return !hasReplyTo && isUnattended(from);
}
