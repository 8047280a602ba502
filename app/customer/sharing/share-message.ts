import { formatInstant } from "../../catalogue/instants.ts";
import { formatSiren } from "../../companies/siren.ts";

interface SharedLink {
	/** « Extrait Kbis ». */
	extractName: string;
	/** Null when the reader of the link is not told it. */
	company: { name: string; siren: string } | null;
	sender: string | null;
	purpose: string | null;
	url: string;
	withCode: boolean;
	expiresAt: Date;
	shopName: string;
}

/** What the customer may paste into an e-mail, and change: it names the company as the page of a link without a passcode does. */
export function formatShareMessage({ extractName, company, sender, purpose, url, withCode, expiresAt, shopName }: SharedLink): string {
	const what = company ? `${extractName}\u00a0: ${company.name} (${formatSiren(company.siren)})` : extractName;
	return [
		"Bonjour,",
		[`Voici un document livré par ${shopName}.`, what, ...(purpose ? [`Objet\u00a0: ${purpose}`] : [])].join("\n"),
		`Ouvrez ce lien, puis cliquez sur «\u00a0Ouvrir l’extrait\u00a0»\u00a0:\n${url}`,
		`Il fonctionne jusqu’au ${formatInstant(expiresAt)}.${withCode ? " Je vous donne le code d’accès séparément." : ""}`,
		...(sender ? [sender] : []),
	].join("\n\n");
}
