/** Who the shop's e-mails are from. The mail library quotes and encodes the name, whatever it contains. */
export interface MailSender {
	/** Empty for an address alone. */
	name: string;
	address: string;
}

/**
 * Splits a sender into name and address. A name may contain a comma, quotes or « < »: « Dupont, père & fils <bonjour@dupont.example> ».
 * @param from an address, or a name and an address in « <> »; quotes around the whole name are those of an e-mail's header (RFC 5322).
 */
export function parseMailSender(from: string): MailSender {
	const [, name = "", address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? [];
	const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(name.trim())?.[1];
	return { name: quoted?.replace(/\\(.)/g, "$1") ?? name.trim(), address: address.trim() };
}
