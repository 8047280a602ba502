import { expect, test } from "vitest";
import { acceptsEncoding } from "./accepted-encoding.ts";

test.each([
	["gzip, deflate, br", true, true],
	["gzip;q=0.5, BR", true, true],
	["br;q=0, gzip", false, true],
	["gzip;q=0.0, identity", false, false],
	["br;q=1.0;level=4", true, false],
	["identity", false, false],
	["xbr, gzipped", false, false],
	["", false, false],
	[null, false, false],
])("%s", (header, br, gzip) => {
	expect([acceptsEncoding(header, "br"), acceptsEncoding(header, "gzip")]).toEqual([br, gzip]);
});
