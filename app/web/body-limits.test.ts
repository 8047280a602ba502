import { expect, test } from "vitest";
import { requestTimeout } from "../../server/http-server.ts";
import { listRoutePatterns } from "../../test/route-paths.ts";
import { maxFileBytes } from "../checkout/form/lines/list-file.ts";
import { maxExtractBytes } from "../orders/documents/extract-size.ts";
import { type BodyLimits, getBodyLimits, maxBodySeconds } from "./body-limits.ts";

/** What the shop reads of the bodies that it is sent: docs/rules.md, R175. */

const kB = 1024;
const usual: BodyLimits = { bytes: 64 * kB, fields: 100, seconds: 60 };
const longText = { ...usual, bytes: 256 * kB };
const manyFields = { ...longText, fields: 1000 };
const files = (count: number): BodyLimits => ({
	...{ bytes: count * maxExtractBytes + 64 * kB, fields: 100, seconds: 600, isReadByRoute: true, maxRead: 256 * kB * kB },
});

/** The limits of the routes that read more than a usual form: of other bodies, and of forms with files where they differ. */
const special: Record<string, [usual: BodyLimits, files?: BodyLimits]> = {
	"/commande/plusieurs": [
		{ bytes: 512 * kB, fields: 1000, seconds: 60 },
		{ bytes: maxFileBytes + 256 * kB, fields: 1000, seconds: 180, keptBytes: 256 * kB },
	],
	"/suivi/:number/facture": [{ bytes: 256 * kB, fields: 300, seconds: 60 }],
	"/retractation": [{ ...usual, fields: 300 }],
	"/api/stripe/webhook": [longText],
	"/bureau/commandes/:number": [manyFields, files(1)],
	"/bureau/commandes/:number/extrait": [manyFields, files(1)],
	"/bureau/fichiers": [manyFields, files(4)],
	"/bureau/courrier": [manyFields],
	"/bureau/messages/:id": [longText],
	"/bureau/messages/modeles": [longText],
	"/bureau/messages": [longText],
	"/bureau/action": [longText],
};

test("each route has the usual limits, except for these routes", () => {
	const patterns = listRoutePatterns();
	expect(patterns).toEqual(expect.arrayContaining(Object.keys(special)));
	for (const pattern of patterns) {
		const [other = usual, withFiles = other] = special[pattern] ?? [];
		expect([pattern, getBodyLimits(pattern, false), getBodyLimits(pattern, true)]).toEqual([pattern, other, withFiles]);
	}
});

test("no body has longer than ten minutes, for which the server itself waits", () => {
	expect([maxBodySeconds, requestTimeout]).toEqual([600, 600_000]);
});
