import { isIPv4, isIPv6 } from "node:net";

/** Who sent a request: for limits only, stored as a hash and never logged. */
export interface Client {
	/** What limits count: an IPv4 address, or the first 64 bits of an IPv6 address: within them a device takes as many as it likes (RFC 8981). */
	key: string;
	/** Whether the request comes straight from this machine, through no proxy. */
	isLocal: boolean;
}

/**
 * Tells who sent a request.
 * @param socketIp the other end of the connection.
 * @param forwarded the header X-Forwarded-For: each proxy of ours adds whom it heard; what stands further left may be anybody's claim.
 * @param proxies how many proxies of ours a request passes.
 */
export function identifyClient(socketIp: string | undefined, forwarded: string | undefined, proxies: number): Client {
	const claimed = proxies > 0 ? forwarded?.split(",").at(-proxies) : undefined;
	const key = clientKey(claimed ?? "") ?? clientKey(socketIp ?? "") ?? "unknown";
	return { key, isLocal: forwarded === undefined && /^(127\.|::$)/.test(clientKey(socketIp ?? "") ?? "") };
}

/**
 * The key of an IP address, however it is written: with a port, in brackets, shortened, or as IPv4 inside IPv6.
 * @returns null when it is no address.
 */
export function clientKey(text: string): string | null {
	const trimmed = text.trim();
	const ip = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
	if (isIPv4(ip)) return ip;
	const withoutZone = ip.replace(/%.*$/, "");
	if (!isIPv6(withoutZone)) return null;
	const groups = groupsOf(withoutZone);
	// ::ffff:198.51.100.9 is the IPv4 address (RFC 4291, 2.5.5.2)
	if (groups.slice(0, 6).join() === "0,0,0,0,0,65535")
		return groups
			.slice(6)
			.flatMap((group) => [group >> 8, group & 255])
			.join(".");
	const network = groups.slice(0, 4).map((group) => group.toString(16));
	return network.every((group) => group === "0") ? "::" : `${network.join(":")}::/64`;
}

/** The eight groups of an IPv6 address; a URL writes it in one way only (WHATWG URL, host serialising). */
function groupsOf(ip: string): number[] {
	const [head = "", tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split("::");
	const read = (half: string) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16)));
	if (tail === undefined) return read(head);
	const [before, after] = [read(head), read(tail)];
	return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
