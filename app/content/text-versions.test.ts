import { createHash } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { listStrings } from "../../test/texts.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { type OrderValues, orderFields } from "../order-form/order-form.ts";
import { ConsentFields, PreferenceFields } from "../order-form/order-form-fields.tsx";
import { fillIn } from "./fill-in.ts";
import { getSection } from "./text.ts";
import { getText } from "./texts.ts";
import { gatherTextVariables } from "./variables.ts";

const parsed = parseEnvironment({});
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const variables = gatherTextVariables(parsed.environment);

const [terms, newsletter, subscription] = [getText("/cgv"), getText("/lettre-information"), getText("/abonnement")];
const values = Object.fromEntries(orderFields.map((field) => [field, ""])) as OrderValues;
const boxes = (fields: React.ReactElement) => renderToStaticMarkup(fields).replace(/<[^>]+>/g, " ");

/** What somebody reads who agrees to each text. */
const agreed: Record<keyof typeof textVersions, unknown> = {
	terms: [terms.introduction, terms.sections, boxes(createElement(ConsentFields, { errors: {} }))],
	newsletter: [
		newsletter.lead,
		getSection(newsletter, "contenu"),
		getSection(newsletter, "inscription"),
		boxes(createElement(PreferenceFields, { values })).split("Recevoir ma facture")[0],
	],
	subscription: [subscription.introduction, getSection(subscription, "inscription")],
};

/** The dates that stand in the texts are left out: a new date alone is no new text. */
function hash(content: unknown): string {
	const words = listStrings(fillIn(content, { ...variables, termsDay: "" })).join(" ");
	return createHash("sha256").update(words.replace(/\s+/g, " ")).digest("hex");
}

test.each(Object.entries(agreed))("the version of « %s » is that of its text", (name, content) => {
	const { date, sha256 } = textVersions[name as keyof typeof textVersions];
	expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
	const advice = `the text has changed since ${date}: app/catalogue/text-versions.ts wants the date of today and the new hash`;
	expect(hash(content), advice).toBe(sha256);
});
