import { expect, test } from "vitest";
import type { Siren } from "../../../companies/siren.ts";
import { createForwardUrl } from "./describe-confirmation.server.ts";

test.each(["extrait Kbis", "extrait K"])("the e-mail to write names an %s, with its links", (name) => {
	const order = { company_name: "DANONE", siren: "552032534" as Siren };
	const url = createForwardUrl("https://shop.example", order, { id: "an-id", url: "/documents/a.b", name });
	const query = new URLSearchParams(url.replace("mailto:?", ""));
	expect(query.get("subject")).toBe(`E${name.slice(1)} de DANONE`);
	const body = query.get("body") ?? "";
	expect(body.replaceAll("\u00a0", " ").split("\r\n")).toEqual([
		...["Bonjour,", "", `Voici l’${name} de DANONE (SIREN 552032534).`, ""],
		...["Téléchargez-le dans les 24 heures :", "https://shop.example/documents/a.b", ""],
		...["Vérifiez que le fichier n’a pas été modifié :", "https://shop.example/verifier/an-id"],
	]);
	for (const part of [`Voici l’${name} de DANONE (SIREN 552032534).`, "https://shop.example/documents/a.b", "/verifier/an-id"])
		expect(body).toContain(part);
});
