import { expect, test } from "vitest";
import type { Siren } from "../../../companies/siren.ts";
import { createForwardUrl } from "./describe-confirmation.server.ts";

test.each([
	["extrait Kbis", "DANONE", "de DANONE"],
	["extrait K", "AIRBUS", "d’AIRBUS"],
])("the e-mail to write names an %s of %s, with its links", (name, company_name, of) => {
	const order = { company_name, siren: "552032534" as Siren };
	const url = createForwardUrl("https://shop.example", order, { id: "an-id", url: "/documents/a.b", name });
	const query = new URLSearchParams(url.replace("mailto:?", ""));
	expect(query.get("subject")).toBe(`E${name.slice(1)} ${of}`);
	const body = query.get("body") ?? "";
	expect(body.replaceAll("\u00a0", " ").split("\r\n")).toEqual([
		...["Bonjour,", "", `Voici l’${name} ${of} (SIREN 552032534).`, ""],
		...["Téléchargez-le dans les 24 heures :", "https://shop.example/documents/a.b", ""],
		...["Vérifiez que le fichier n’a pas été modifié :", "https://shop.example/verifier/an-id"],
	]);
	for (const part of [`Voici l’${name} ${of} (SIREN 552032534).`, "https://shop.example/documents/a.b", "/verifier/an-id"])
		expect(body).toContain(part);
});
