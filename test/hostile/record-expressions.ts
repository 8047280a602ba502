// Prints the regular expressions that the shop makes at run time, as JSON: each place with what it made. A test runs this in a process of its
// own, because it watches the constructor.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Siren } from "../../app/companies/siren.ts";
import type { FoundExpression } from "./expressions.ts";

const found: FoundExpression[] = [];

/** The place of the shop that calls, « app/x.ts:12 »; null for others. */
function locateCaller(): string | null {
	const [, , , , line = ""] = (new Error().stack ?? "").split("\n");
	const [, url, number] = /(file:\/\/[^()\s]+):(\d+):\d+/.exec(line) ?? [];
	const file = url === undefined ? "" : relative(process.cwd(), fileURLToPath(url));
	return /^(app|server)\//.test(file) ? `${file}:${number}` : null;
}

function record(made: RegExp): RegExp {
	const where = locateCaller();
	if (where !== null) found.push({ source: made.source, flags: made.flags, where });
	return made;
}

globalThis.RegExp = new Proxy(RegExp, {
	construct: (target, [pattern, flags]) => record(new target(pattern, flags)),
	apply: (target, _, [pattern, flags]) => record(target(pattern, flags)),
});

const siren = "552032534" as Siren;
const { containsSiren, listSirens } = await import("../../app/fulfilment/extracts/extract-text.ts");
const { findMarks } = await import("../../app/fulfilment/extracts/find-marks.ts");
const { replaceAddress } = await import("../../app/mail/sent-emails.store.server.ts");
// those that are made once, when their file is read
await import("../../app/companies/bulletin/import/plain-text.ts");
await import("../../app/companies/arrondissements.ts");
await import("../../app/companies/postal-address.ts");
await import("../../app/companies/registry/sirene/clean-value.ts");
await import("../../app/companies/search/document-words.ts");
await import("../../app/companies/search/tokens.ts");
await import("../../app/fulfilment/tracking-number.ts");
await import("../../app/mail/parse-mail.server.ts");
await import("../../app/ui/fonts/printable.ts");

containsSiren("", siren);
listSirens("");
findMarks("", siren);
// an address with signs that mean something in an expression
replaceAddress({ subject: "", text: "", html: "" }, "a.b+c*(d)|e@x.fr");

process.stdout.write(JSON.stringify(found));
