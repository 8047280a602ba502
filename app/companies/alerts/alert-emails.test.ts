import { expect, test } from "vitest";
import { typedKeys } from "../../../server/types/objects.ts";
import type { EmailContent } from "../../mail/email.ts";
import type { Siren } from "../siren.ts";
import { alertTopics, formatChoices } from "./alert-choices.ts";
import { alertEmail, type News } from "./deliver-alert-mail.server.ts";
import { confirmationEmail, linkEmail } from "./link-emails.ts";

const untouched = { event_on: null, cancels: null, target_on: null, target_family: null, target_kind: null, target_event_on: null };
const makeNews = (id: string, told: Partial<News>): News => ({
	...{ alert_id: "a1", siren: "552032534" as Siren, name: "DANONE", id, url: `https://bodacc.example/${id}` },
	...{ published_on: "2026-11-20", family: "modification", kind: "capital", ...untouched, ...told },
});
const laPoste = { alert_id: "a2", siren: "356000000" as Siren, name: null };

const facts = {
	importedAt: new Date("2026-11-23T08:00:00Z"),
	activeAt: new Date("2026-11-21T08:00:00Z"),
	companyUrl: (siren: string) => `/entreprise/${siren}`,
	endAlertUrl: (id: string) => `/alertes/fin/${id}`,
	alertsUrl: "/alertes",
	endAllUrl: "/alertes/fin",
};
const ofTwo = [
	makeNews("1", { event_on: "2026-11-01" }),
	makeNews("2", { family: "radiation", kind: null }),
	makeNews("3", { cancels: true, target_on: "2026-10-02", target_family: "dpc", target_kind: null, target_event_on: "2025-12-31" }),
	makeNews("4", { ...laPoste, cancels: false, target_on: "2026-10-03" }),
	makeNews("5", { ...laPoste, family: null, cancels: false }),
	makeNews("6", { ...laPoste, family: "radiation", cancels: true }),
	makeNews("7", { ...laPoste, cancels: true, target_on: "2026-10-04", target_family: "vente" }),
	makeNews("8", { ...laPoste, cancels: true, target_on: "2026-10-05" }),
];

const write = (name: string, { subject, preheader, title, blocks }: EmailContent) =>
	[`=== ${name}`, subject, preheader, title, ...blocks.map((block) => (typeof block === "string" ? block : JSON.stringify(block)))].join(
		"\n",
	);

// a change of these texts is agreed first, then written to the file: npx vitest run app/companies/alerts/alert-emails -u
test("each e-mail about alerts says word for word what its file says", async () => {
	const choices = { frequency: "at-once", topics: typedKeys(alertTopics) } as const;
	const danone = { company: "DANONE", siren: "552032534", choices };
	const laPoste = { company: "LA POSTE", siren: "356000000", choices: { frequency: "weekly" as const, topics: ["sales" as const] } };
	const texts = [
		write("news of two companies", alertEmail(ofTwo, facts)),
		write("one notice", alertEmail(ofTwo.slice(0, 1), facts)),
		write("two notices of a company without a name", alertEmail(ofTwo.slice(3, 5), facts)),
		write("confirmation", confirmationEmail({ requests: [danone], url: "/lien", shopName: "ExtraitPro" })),
		write("confirmation of two companies", confirmationEmail({ requests: [danone, laPoste], url: "/lien", shopName: "ExtraitPro" })),
		...(["asked", "followed", "full"] as const).map((reason) => write(`link: ${reason}`, linkEmail(reason, "/lien"))),
		...typedKeys(alertTopics).map((topic) => formatChoices({ frequency: "weekly", topics: [topic] })),
	];
	await expect(`${texts.join("\n\n")}\n`.replaceAll("\u00a0", " ")).toMatchFileSnapshot("alert-emails.txt");
});
