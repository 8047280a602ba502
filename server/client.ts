import { isIPv4, isIPv6 } from "node:net";

/** The sender of a request. Only rate limits use it; it is stored as a hash and never logged. */
export interface Client {
	/** The limits count this: an IPv4 address, or the first 64 bits of an IPv6 address, because a device changes the rest (RFC 8981). */
	key: string;
	/** Whether the request comes directly from this machine, without a proxy. */
	isLocal: boolean;
}

/**
 * Identifies the sender of a request.
 * @param socketIp the other end of the connection.
 * @param forwarded the header X-Forwarded-For. Each of our proxies appends its sender; the entries before those can be forged.
 * @param proxies how many of our proxies a request passes.
 */
export function identifyClient(socketIp: string | undefined, forwarded: string | undefined, proxies: number): Client {
	const forwardedIp = proxies > 0 ? forwarded?.split(",").at(-proxies) : undefined;
	const key = clientKey(forwardedIp ?? "") ?? clientKey(socketIp ?? "") ?? "unknown";
	return { key, isLocal: forwarded === undefined && /^(127\.|::$)/.test(clientKey(socketIp ?? "") ?? "") };
}

/**
 * Returns the key of an IP address in any notation: with a port, in brackets, shortened, or as IPv4 inside IPv6.
 * @returns null when the text is not an IP address.
 */
export function clientKey(text: string): string | null {
	const trimmed = text.trim();
	const ip = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
	if (isIPv4(ip)) return ip;
	const withoutZone = ip.replace(/%.*$/s, "");
	if (!isIPv6(withoutZone)) return null;
	const groups = expandGroups(withoutZone);
	// ::ffff:198.51.100.9 is an IPv4 address (RFC 4291, 2.5.5.2)
	if (groups.slice(0, 6).join() === "0,0,0,0,0,65535")
		return groups
			.slice(6)
			.flatMap((group) => [group >> 8, group & 255])
			.join(".");
	const network = groups.slice(0, 4).map((group) => group.toString(16));
	return network.every((group) => group === "0") ? "::" : `${network.join(":")}::/64`;
}

/** Returns the eight groups of an IPv6 address. URL gives each address one canonical form (WHATWG URL, host serialising). */
function expandGroups(ip: string): number[] {
	const [head = "", tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split("::");
	const parseGroups = (half: string) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16)));
	if (tail === undefined) return parseGroups(head);
	const [headGroups, tailGroups] = [parseGroups(head), parseGroups(tail)];
	return [...headGroups, ...Array<number>(8 - headGroups.length - tailGroups.length).fill(0), ...tailGroups];
}
