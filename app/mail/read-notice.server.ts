import { decodeWords, type Email } from "postal-mime";
import { describeFault } from "../../server/observability/log.ts";
import { cleanLine } from "../ui/forms/text.ts";
import { isUnattended } from "./automatic-signs.ts";
import {
	daemonAddress,
	daemonName,
	delays,
	ends,
	failures,
	helpAddress,
	noticeSubjects,
	refusalCode,
	temporaryCode,
} from "./notice-signs.ts";
import { parseMail } from "./parse-mail.server.ts";
import { getText, listMailboxes, readIds } from "./read-mail.server.ts";

/** A mail server's notice about an e-mail that was sent. */
export interface Notice {
	/**
	 * `failed`: not delivered, for good. `delayed`: the server still tries. `received`: delivered, relayed or opened. `complaint`: its
	 * reader calls it spam. `unreadable`: a mail server wrote, and nothing says about what.
	 */
	verdict: "failed" | "delayed" | "received" | "complaint" | "unreadable";
	/** Who did not get the e-mail, or complains: the addresses of one recipient, and the server's words without addresses. */
	recipients: { addresses: string[]; reason: string }[];
	/** Message-IDs in the headers of the e-mail that came back, without brackets. */
	messageIds: string[];
	/** The subject of that e-mail. */
	subject: string | undefined;
	/** Whether that e-mail was an issue of a newsletter or an alert, whose header names how to end it. */
	isSubscription: boolean;
}

type Said = Pick<Notice, "verdict" | "recipients">;

/** A mail server may send any text, and the operator reads it in a terminal. */
const maxReasonLength = 500;

/** The longest text that is read of a part, in characters, and its longest line: a report of many recipients has a few thousand. */
const maxPartLength = 65_536;
const maxLineLength = 1000;
const maxRecipients = 20;

/** Reads a notice in any form that servers send. @returns null for an e-mail that no mail server wrote. */
export async function readNotice(raw: Uint8Array): Promise<Notice | null> {
	const { notice, inner } = await readOuterNotice(raw);
	const namesNobody = notice?.recipients.every(({ addresses }) => addresses.length === 0);
	// a server that passes the notice of another one on
	return (namesNobody && inner !== null && (await readOuterNotice(inner)).notice) || notice;
}

async function readOuterNotice(raw: Uint8Array): Promise<{ notice: Notice | null; inner: Uint8Array | null }> {
	const { mail } = await parseMail(raw, { forceRfc822Attachments: true });
	const listBytes = (types: RegExp) =>
		mail.attachments.flatMap(({ mimeType, content }) =>
			types.test(mimeType) && typeof content !== "string" ? [new Uint8Array(content)] : [],
		);
	const decoder = new TextDecoder();
	const listParts = (types: RegExp) => listBytes(types).map((bytes) => readPart(decoder.decode(bytes.subarray(0, maxPartLength))));
	const findPart = (types: RegExp) => listParts(types)[0];
	const joinParts = (texts: string[]) => readPart(texts.join("\n\n"));
	// some servers put their words into a first part of this type, others the fields into an attached text
	const statuses = listParts(/^message\/(?:global-)?delivery-status\b/);
	const status = statuses.length > 0 ? joinParts(statuses) : undefined;
	const feedback = findPart(/^message\/feedback-report\b/);
	const receipt = findPart(/^message\/(?:global-)?disposition-notification\b/);
	const [told, quoted] = splitReturned(joinParts([readPart(getText(mail)), ...listParts(/^text\/plain\b/)]));
	const part = findPart(/^(?:message\/(?:rfc822|global|global-headers|partial)|text\/rfc822-headers)$/);
	const returned = unfold(part?.trimStart().split(/\n[ \t]*\n/)[0] ?? quoted);
	// Microsoft's reports of complaints (JMRP)
	const isComplaint = part !== undefined && /^\s*complaint about message from \d/i.test(getSubject(mail));
	const hasReport = status !== undefined || feedback !== undefined || receipt !== undefined;
	if (!isComplaint && !isOfServer(mail, { hasReport, hasReturned: returned !== "", told })) return { notice: null, inner: null };
	const about = {
		messageIds: listFields(returned, "message-id").flatMap((field) => readIds(field)),
		subject: listFields(returned, "subject").map(decodeWords)[0],
		isSubscription: listFields(returned, "list-unsubscribe").length > 0,
	};
	const said =
		isComplaint || feedback !== undefined
			? readComplaint(feedback ?? "", returned)
			: receipt !== undefined
				? received
				: readFailure(mail, { status, told, returned });
	return { notice: { ...about, ...said }, inner: listBytes(/^message\/rfc822$/)[0] ?? null };
}

const received: Said = { verdict: "received", recipients: [] };

/** What a notice says in its fields, else in its words. */
function readFailure(mail: Email, { status, told, returned }: { status: string | undefined; told: string; returned: string }): Said {
	const own = new Set([
		...listAddressesOf(mail),
		...listFields(returned, "from", "return-path", "sender", "reply-to").flatMap(listAddresses),
	]);
	const fields = readStatus(status ?? told);
	if (fields.verdict === "unreadable") return readTold(mail, told, returned, own);
	if (fields.recipients.some(({ addresses }) => addresses.length > 0)) return fields;
	const reason = fields.recipients[0]?.reason || findReason(told);
	return { verdict: fields.verdict, recipients: toRecipients(findRecipients(mail, told, returned, own), reason) };
}

const readPart = (text: string): string => text.slice(0, maxPartLength).replace(/\r\n?/g, "\n");

// Who writes

/**
 * Whether a mail server wrote: it is named as the sender, or there is none, or its report is there. A person who quotes or passes a
 * notice on is none of these.
 */
function isOfServer(mail: Email, { hasReport, hasReturned, told }: { hasReport: boolean; hasReturned: boolean; told: string }): boolean {
	const has = (name: string, value = /^/) => mail.headers.some((each) => each.key === name && value.test(each.value));
	if (has("content-type", /^multipart\/report\b/i) || has("x-failed-recipients")) return true;
	const subject = getSubject(mail).toLowerCase();
	const isNamed = noticeSubjects.some((each) => each.subject.test(subject));
	const isAnswer = /^(?:re|fwd?|tr|wg|aw|rv|enc|i)\s?:/.test(subject) || has("in-reply-to");
	const { address = "", name = "" } = mail.from ?? {};
	if (daemonAddress.test(address) || address === "") {
		// somebody reads the mailbox of a postmaster, and may answer
		if (isAnswer && !isNamed && /master|admin/i.test(address)) return refusalCode.test(told);
		return hasReport || hasReturned || isNamed || hasFailure(`${subject}\n${told}`);
	}
	if (isAnswer) return false;
	const isDaemon = daemonName.test(name) || has("return-path", nullPath);
	if (hasReport) return isNamed || isDaemon;
	// two of these; a person names nobody else, or writes under another subject
	const own = listAddressesOf(mail);
	const isAboutOther = isNamed && listLines(told).some((line) => listAddresses(line).some((each) => !own.includes(each)));
	const signs = [isDaemon || isUnattended(address), hasReturned, isNamed, isAboutOther];
	return signs.filter(Boolean).length >= 2 && hasFailure(told);
}

const nullPath = /^<\s*>$/;

const hasFailure = (told: string): boolean =>
	listLines(told).some((line) => [refusalCode, ...failures, ...ends].some((each) => each.test(line)));

// The fields of a report (RFC 3464)

function readStatus(status: string): Said {
	const fields = unfold(status).split("\n");
	const blocks: Map<string, string>[] = [];
	for (const line of fields) {
		const [, name = "", value = ""] = /^[ \t>]{0,9}([a-z][a-z-]{1,40})[ \t]{0,9}:[ \t]{0,9}(.*)$/i.exec(line) ?? [];
		const key = name.toLowerCase();
		if (!recipientFields.has(key)) continue;
		const last = blocks.at(-1);
		// a server may leave out the blank line between two recipients
		if (last === undefined || last.has(key)) blocks.push(new Map([[key, value]]));
		else last.set(key, value);
	}
	const recipients = blocks.map((block) => {
		const addresses = ["final-recipient", "original-recipient", "x-actual-recipient"].flatMap((key) => listAddresses(block.get(key) ?? ""));
		const action = (block.get("action") ?? "").toLowerCase();
		const code = block.get("status") ?? "";
		const reason = block.get("diagnostic-code")?.replace(/^(?:smtp|x-[\w-]{1,40}|unknown)\s*;\s*/i, "") ?? code;
		const verdict = actions.find(([word]) => action.startsWith(word))?.[1] ?? fromCode(code);
		return { addresses: [...new Set(addresses)].slice(0, 5), reason: cleanReason(reason), verdict };
	});
	const [verdict = "unreadable"] = (["failed", "delayed", "received"] as const).filter((each) =>
		recipients.some((recipient) => recipient.verdict === each),
	);
	const found = recipients.filter((each) => each.verdict === verdict).slice(0, maxRecipients);
	return { verdict, recipients: found.map(({ addresses, reason }) => ({ addresses, reason })) };
}

const recipientFields: ReadonlySet<string> = new Set([
	"final-recipient",
	"original-recipient",
	"x-actual-recipient",
	"action",
	"status",
	"diagnostic-code",
]);

/** The beginnings of actions: those of RFC 3464, 2.3.3, and what servers write in their place. */
const actions: readonly (readonly [word: string, verdict: Notice["verdict"]])[] = [
	...["fail", "expired", "fatal", "error"].map((word) => [word, "failed"] as const),
	...["delay", "deferred"].map((word) => [word, "delayed"] as const),
	...["deliver", "relayed", "expanded"].map((word) => [word, "received"] as const),
];

/** The class of an enhanced code (RFC 3463, 2). */
function fromCode(code: string): Notice["verdict"] {
	const first = code.charAt(0);
	return first === "5" ? "failed" : first === "4" ? "delayed" : first === "2" ? "received" : "unreadable";
}

function readComplaint(feedback: string, returned: string): Said {
	const fields = unfold(feedback);
	const type = listFields(fields, "feedback-type")[0]?.toLowerCase() ?? "abuse";
	const addresses = [fields, returned].flatMap((each) =>
		listFields(each, "original-rcpt-to", "removal-recipient", "x-hmxmroriginalrecipient", "to").flatMap(listAddresses),
	);
	// reports about authentication, and « this is no spam »
	if (/^(?:not-spam|auth-failure|dmarc|dkim)/.test(type)) return received;
	return { verdict: "complaint", recipients: toRecipients([...new Set(addresses)].slice(0, 1), type) };
}

// The words of a notice

function readTold(mail: Email, told: string, returned: string, own: ReadonlySet<string>): Said {
	const lines = [getSubject(mail), ...listLines(told)];
	const says = (...signs: readonly RegExp[]) => lines.some((line) => signs.some((sign) => sign.test(line)));
	const recipients = findRecipients(mail, told, returned, own);
	// the reply that it quotes may speak of a delay, although the server gave up
	const isWaiting = lines.some((line) => !temporaryCode.test(line) && delays.some((sign) => sign.test(line)));
	const isDelay = isWaiting && !says(refusalCode, ...ends);
	const isFailure = says(refusalCode, temporaryCode, ...failures, ...ends) && (recipients.length > 0 || returned !== "");
	if (!isDelay && !isFailure) return { verdict: "unreadable", recipients: [] };
	return { verdict: isDelay ? "delayed" : "failed", recipients: toRecipients(recipients, findReason(told)) };
}

/** The recipients that a notice names: in a field, in its words, else in the e-mail that came back. */
function findRecipients(mail: Email, told: string, returned: string, own: ReadonlySet<string>): string[] {
	const failed = mail.headers.filter(({ key }) => key === "x-failed-recipients").flatMap(({ value }) => listAddresses(value));
	if (failed.length > 0) return [...new Set(failed)].slice(0, maxRecipients);
	const sentTo = listFields(returned, ...recipientHeaders).flatMap(listAddresses);
	const lines = [getSubject(mail), ...listLines(told)];
	const all = lines.flatMap(listAddresses).filter((address) => !helpAddress.test(address) && !daemonAddress.test(address));
	// a line that begins with an address names a recipient
	const listed = lines.filter((line) => beginsWithAddress.test(line)).flatMap((line) => listAddresses(line).slice(0, 1));
	const known = lines.flatMap(listAddresses).filter((address) => sentTo.includes(address));
	const found = [[...known, ...listed], all, sentTo]
		.map((each) => each.filter((address) => !own.has(address)))
		.find((each) => each.length > 0);
	// somebody wrote to themselves
	return [...new Set(found ?? listed)].slice(0, maxRecipients);
}

const recipientHeaders = ["to", "cc", "x-envelope-to", "envelope-to", "x-original-to"];

const beginsWithAddress =
	/^[^\p{L}\p{N}]{0,20}(?:[45]\d\d[ -]{1,3}<|\(?expanded from: <?|rcpt to:\s{0,3}<?|smtp:|mailto:|rfc822;)?[\w.+%'=&/-]{1,100}@/iu;

/** The same reason for each address; for nobody where none is named. */
const toRecipients = (addresses: readonly string[], reason: string): Notice["recipients"] =>
	addresses.length === 0 ? [{ addresses: [], reason }] : addresses.map((address) => ({ addresses: [address], reason }));

/**
 * The server's reply in the words of a notice: from the first line with a code, else the first that says what failed, to the end of its
 * paragraph. What a line announces, such as a recipient, may follow after a blank line.
 */
function findReason(told: string): string {
	const lines = listLines(told).map((line) => line.trim());
	const withCode = lines.findIndex((line) => refusalCode.test(line) || temporaryCode.test(line));
	const start = withCode >= 0 ? withCode : lines.findIndex((line) => failures.some((each) => each.test(line)));
	const reason: string[] = [];
	for (const line of start < 0 ? [] : lines.slice(start)) {
		const announces = /:$|^\S+@\S+$/.test(reason.at(-1) ?? ":");
		if (reason.length === maxReasonLines || (!announces && (line === "" || beginsWithAddress.test(line)))) break;
		if (line !== "") reason.push(line);
	}
	return cleanReason(reason.join(" "));
}

const maxReasonLines = 5;

const cleanReason = (text: string): string => cleanLine(describeFault(text), maxReasonLength);

// Texts

/** Splits the words of a notice from the headers of the e-mail that came back, which many servers put below them. */
function splitReturned(text: string): [told: string, returned: string] {
	const lines = text.split("\n");
	for (let start = 0; start < lines.length; start++) {
		const names = new Set<string>();
		let end = start;
		for (const line of lines.slice(start, start + maxHeaderLines)) {
			const isFolded = /^[ \t>|]{0,9}[ \t]\S/.test(line) && end > start;
			if (!headerLine.test(line) && !isFolded) break;
			names.add(getHeaderName(line));
			end++;
		}
		const known = [...names].filter((name) => headerNames.has(name));
		if (known.length >= 3) return [joinTold(lines.slice(0, start), lines.slice(end)), lines.slice(start, end).map(stripIndent).join("\n")];
		start = Math.max(start, end - 1);
	}
	return [text, ""];
}

const maxHeaderLines = 500;

/** Headers may be set in, which would fold them. */
const stripIndent = (line: string): string => line.replace(/^ {1,9}(?=[\w-]{2,40}:)/, "");

/** Some servers name the e-mail before they say what failed. */
const joinTold = (before: string[], after: string[]): string =>
	(before.some((line) => line.includes("@")) ? before : [...before, ...after]).join("\n");

const headerLine = /^[ \t>|]{0,9}([a-z][\w-]{1,60}):(?:[ \t]|$)/i;
const headerNames: ReadonlySet<string> = new Set(
	"return-path received message-id from to subject date mime-version content-type content-transfer-encoding delivered-to reply-to sender cc dkim-signature domainkey-signature references in-reply-to x-mailer x-originating-ip user-agent importance x-priority".split(
		" ",
	),
);

function getHeaderName(line: string): string {
	const [, name = ""] = headerLine.exec(line) ?? [];
	return name.toLowerCase();
}

/** Unfolds lines (RFC 5322, 2.2.3). */
const unfold = (text: string): string => text.replace(/\n[ \t]+(?=\S)/g, " ");

const listLines = (text: string): string[] => text.split("\n").map((line) => line.slice(0, maxLineLength));

/** The fields of these names, in any case, of unfolded headers. */
function listFields(headers: string, ...names: string[]): string[] {
	const lines = headers.split("\n").filter((line) => names.includes(getHeaderName(line)));
	return lines.map((line) => line.slice(line.indexOf(":") + 1).trim());
}

/** The addresses in a line, in lower case. */
function listAddresses(line: string): string[] {
	const found = line.matchAll(
		/(?:"([^"\s]{1,64})"|(?<![\p{L}\p{N}_.+%'=&/#!$^~}-])([\w.+%'=&/-][\w.+%'=&/#!$^~-]{0,99}))@((?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{1,63})/giu,
	);
	return [...found].map(([, quoted, local = quoted, domain = ""]) =>
		`${local?.replace(/^(?:rfc822|smtp|mailto)[=:]/i, "").replace(/^'+/, "")}@${domain}`.toLowerCase(),
	);
}

const getSubject = ({ subject = "" }: Email): string => subject;

const listAddressesOf = ({ from, to, replyTo }: Email): string[] =>
	[from, ...(to ?? []), ...(replyTo ?? [])]
		.flatMap((field) => (field === undefined ? [] : listMailboxes(field)))
		.map((address) => address.toLowerCase());
