import { createHash } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { listStrings } from "../../test/texts.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { ConsentFields } from "../checkout/form/fields/consent-fields.tsx";
import { PreferenceFields } from "../checkout/form/fields/customer-fields.tsx";
import { type OrderValues, orderFields } from "../checkout/form/order-form.ts";
import { sandboxTexts } from "../payments/sandbox/sandbox-texts.ts";
import { fillIn } from "./fill-in.ts";
import { getSection } from "./text.ts";
import { getText } from "./texts.ts";
import { gatherTextVariables } from "./variables.ts";

const parsed = parseEnvironment({});
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const variables = gatherTextVariables(parsed.environment, sandboxTexts);

const [terms, newsletter, subscription] = [getText("/cgv"), getText("/lettre-information"), getText("/abonnement")];
const companyAlerts = getText("/alertes");
const values = Object.fromEntries(orderFields.map((field) => [field, ""])) as OrderValues;
const renderCheckboxes = (fields: React.ReactElement) => renderToStaticMarkup(fields).replace(/<[^>]+>/g, " ");

/** The content that a person sees when consenting to each text. */
const consentTexts: Record<keyof typeof textVersions, unknown> = {
	terms: [terms.introduction, terms.sections, renderCheckboxes(createElement(ConsentFields, { errors: {} }))],
	newsletter: [
		newsletter.lead,
		getSection(newsletter, "contenu"),
		getSection(newsletter, "inscription"),
		renderCheckboxes(createElement(PreferenceFields, { values })).split("Recevoir ma facture")[0],
	],
	companyAlerts: [companyAlerts.lead, getSection(companyAlerts, "contenu"), getSection(companyAlerts, "inscription")],
	subscription: [subscription.introduction, getSection(subscription, "inscription")],
};

/** Leaves out the date of the terms, because a new date alone is no new version. */
function hashText(content: unknown): string {
	const text = listStrings(fillIn(content, { ...variables, termsDay: "" })).join(" ");
	return createHash("sha256").update(text.replace(/\s+/g, " ")).digest("hex");
}

test.each(Object.entries(consentTexts))("the version of « %s » has the hash of its text", (name, content) => {
	const { date, sha256 } = textVersions[name as keyof typeof textVersions];
	expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
	const advice = `the text has changed since ${date}: app/catalogue/text-versions.ts wants the date of today and the new hash`;
	expect(hashText(content), advice).toBe(sha256);
});
