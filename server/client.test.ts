import { describe, expect, test } from "vitest";
import { clientKey, identifyClient } from "./client.ts";

describe("clientKey", () => {
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
		"%s is not an IP address",
		(text) => {
			expect(clientKey(text)).toBeNull();
		},
	);
});

describe("identifyClient", () => {
	test.each<[string, Parameters<typeof identifyClient>, string]>([
		["ignores the header without a proxy", ["127.0.0.1", "203.0.113.5", 0], "127.0.0.1"],
		["reads the last entry behind one proxy", ["127.0.0.1", "203.0.113.5", 1], "203.0.113.5"],
		["ignores entries before that", ["127.0.0.1", "1.1.1.1, 203.0.113.5", 1], "203.0.113.5"],
		["reads the last entry but one behind two proxies", ["127.0.0.1", "1.1.1.1, 203.0.113.5, 10.0.0.2", 2], "203.0.113.5"],
		["uses the socket when there are fewer entries than proxies", ["10.0.0.7", "203.0.113.5", 2], "10.0.0.7"],
		["uses the socket when the entry is not an IP address", ["10.0.0.7", "nobody", 1], "10.0.0.7"],
		["uses the socket without a header", ["10.0.0.7", undefined, 1], "10.0.0.7"],
		["knows nobody without a socket", [undefined, undefined, 0], "unknown"],
	])("%s", (_name, args, key) => {
		expect(identifyClient(...args).key).toBe(key);
	});

	test.each<[boolean, Parameters<typeof identifyClient>]>([
		[true, ["127.0.0.1", undefined, 0]],
		[true, ["::1", undefined, 0]],
		[true, ["::ffff:127.0.0.1", undefined, 0]],
		[false, ["127.0.0.1", "203.0.113.5", 0]],
		[false, ["127.0.0.1", "127.0.0.1", 1]],
		[false, ["203.0.113.5", undefined, 0]],
		[false, [undefined, undefined, 0]],
	])("isLocal is %s for %j", (isLocal, args) => {
		expect(identifyClient(...args).isLocal).toBe(isLocal);
	});
});
