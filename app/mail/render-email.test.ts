import { expect, test } from "vitest";
import { parseEnvironment } from "../../server/environment/environment.ts";
import type { EmailContent } from "./email.ts";
import { renderEmail } from "./render-email.tsx";

const parsed = parseEnvironment({});
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop } = parsed.environment;

const email: EmailContent = {
	subject: "Commande KB-7F3K-92QD : « prête » ?",
	preheader: "Un aperçu & rien d’autre",
	title: "Votre document <est> prêt !",
	blocks: [
		"Bonjour Zoë & Cie,",
		{ descriptionList: [["Total payé", "59,00 € TTC"]] },
		{ action: "Télécharger", url: "https://shop.example/documents/a.b?x=1&y=2" },
		{ heading: "Ensuite" },
		{ list: ["Un : deux", "Trois"], numbered: true },
		{ list: ["Quatre !"], numbered: false },
		{ link: "Suivre", url: "https://shop.example/suivi/KB-7F3K-92QD" },
		{ quote: ['Je dis : "non"', "<b>merci</b>"] },
		{ command: "npm run desk -- list" },
	],
};
const { subject, text, html } = renderEmail(email, shop);

test("the text is readable, with French spacing", () => {
	expect(subject).toBe("Commande KB-7F3K-92QD\u00a0: «\u00a0prête\u00a0»\u00a0?");
	expect(text.split("\n-- \n")[0]).toBe(
		[
			"Votre document <est> prêt\u00a0!",
			"Bonjour Zoë & Cie,",
			"Total payé\u00a0: 59,00\u00a0€ TTC",
			"Télécharger\u00a0:\nhttps://shop.example/documents/a.b?x=1&y=2",
			"Ensuite\n-------",
			"1. Un\u00a0: deux\n2. Trois",
			"- Quatre\u00a0!",
			"Suivre\u00a0:\nhttps://shop.example/suivi/KB-7F3K-92QD",
			'> Je dis\u00a0: "non"\n> <b>merci</b>',
			"    npm run desk -- list",
			"",
		]
			.join("\n\n")
			.slice(0, -1),
	);
});

test("it is signed as a private service with company and number", () => {
	for (const part of [text, html]) {
		expect(part).toContain("service privé, indépendant d’Infogreffe");
		for (const named of [shop.email, shop.phone, shop.legalEntity, `SIREN ${shop.siren}`]) expect(part).toContain(named);
	}
});

test("a customer's text is escaped in the HTML", () => {
	expect(html).not.toContain("<b>");
	expect(html).toContain("&lt;b&gt;merci&lt;/b&gt;");
	expect(html).toContain('href="https://shop.example/documents/a.b?x=1&amp;y=2"');
});

test("the HTML loads nothing from outside", () => {
	// the pictures of its head travel with it
	const [pictures, others] = [html.match(/<img src="cid:[\w@]+"[^>]*>/g), html.replace(/<img src="cid:[\w@]+"[^>]*>/g, "")];
	expect(pictures).toHaveLength(2);
	expect(others).not.toMatch(/<(img|link|script|iframe|svg)\b|url\(|@import|@font-face|\bsrc=/);
	const addresses = [...html.matchAll(/https?:\/\/[^\s"<]+/g)].map(([address]) => address);
	expect(addresses.every((address) => address.startsWith("https://shop.example/"))).toBe(true);
});
