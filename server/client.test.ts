import { describe, expect, test } from "vitest";
import { clientKey, identifyClient } from "./client.ts";

describe("the key of an address", () => {
	test.each([
		["198.51.100.9", "198.51.100.9"],
		[" 198.51.100.9 ", "198.51.100.9"],
		["198.51.100.9:1234", "198.51.100.9"],
		["::ffff:198.51.100.9", "198.51.100.9"],
		["::FFFF:c633:6409", "198.51.100.9"],
		["2001:db8:1:2::4f", "2001:db8:1:2::/64"],
		["2001:DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
		["[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"],
		["[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
		["2001:db8::9", "2001:db8:0:0::/64"],
		["2001:DB8:0::9", "2001:db8:0:0::/64"],
		["fe80::1%eth0", "fe80:0:0:0::/64"],
		["::1", "::"],
		["0:1::9", "0:1:0:0::/64"],
	])("%s → %s", (text, key) => {
		expect(clientKey(text)).toBe(key);
	});

	test.each(["", "unknown", "a".repeat(500), "198.51.100.999", "1.2.3", "2001:db8", "[::1", "_hidden", "198.51.100.9, 1.2.3.4"])(
		"%s is no address",
		(text) => {
			expect(clientKey(text)).toBeNull();
		},
	);
});

describe("who sent a request", () => {
	test.each<[string, Parameters<typeof identifyClient>, string]>([
		["without a proxy of ours, the header is anybody's claim", ["127.0.0.1", "203.0.113.5", 0], "127.0.0.1"],
		["behind one proxy, its word counts", ["127.0.0.1", "203.0.113.5", 1], "203.0.113.5"],
		["what stands further left does not", ["127.0.0.1", "1.1.1.1, 203.0.113.5", 1], "203.0.113.5"],
		["behind two proxies, the first one's word", ["127.0.0.1", "1.1.1.1, 203.0.113.5, 10.0.0.2", 2], "203.0.113.5"],
		["fewer words than proxies", ["10.0.0.7", "203.0.113.5", 2], "10.0.0.7"],
		["a word that is no address", ["10.0.0.7", "nobody", 1], "10.0.0.7"],
		["no header", ["10.0.0.7", undefined, 1], "10.0.0.7"],
		["no socket either", [undefined, undefined, 0], "unknown"],
	])("%s", (_what, given, key) => {
		expect(identifyClient(...given).key).toBe(key);
	});

	test.each<[boolean, Parameters<typeof identifyClient>]>([
		[true, ["127.0.0.1", undefined, 0]],
		[true, ["::1", undefined, 0]],
		[true, ["::ffff:127.0.0.1", undefined, 0]],
		[false, ["127.0.0.1", "203.0.113.5", 0]],
		[false, ["127.0.0.1", "127.0.0.1", 1]],
		[false, ["203.0.113.5", undefined, 0]],
		[false, [undefined, undefined, 0]],
	])("from this machine: %s, of %j", (isLocal, given) => {
		expect(identifyClient(...given).isLocal).toBe(isLocal);
	});
});
