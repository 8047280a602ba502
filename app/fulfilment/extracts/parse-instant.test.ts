import { expect, test } from "vitest";
import { parseInstant } from "./parse-instant.ts";

test.each([
	["21/11/2026", "2026-11-20T23:00:00Z"],
	[" 21/11/2026 10:32 ", "2026-11-21T09:32:00Z"],
	["1/7/2026 9h", "2026-07-01T07:00:00Z"],
	["01/07/2026 à 9 h 05", "2026-07-01T07:05:00Z"],
	["01/07/2026 À 10 H 05", "2026-07-01T08:05:00Z"],
	[" 2026-11-21 ", "2026-11-20T23:00:00Z"],
	["2026-11-21T10:32", "2026-11-21T09:32:00Z"],
])("« %s » is %s", (text, instant) => expect(parseInstant(text)).toEqual(new Date(instant)));

test.each(["", "demain", "31/02/2026", "21/11/26", "21/11/2026 25:00", "21/11/2026 10", "le 21/11/2026", "21/11/2026 10:32:10 UTC"])(
	"« %s » is no instant",
	(text) => expect(parseInstant(text)).toBeNull(),
);
