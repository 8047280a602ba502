import { documentLinkHours } from "../../catalogue/link-lifetimes.ts";
import { formatPeriod } from "../../catalogue/retention.ts";
import type { Order } from "../../orders/order.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";

/**
 * A `mailto:` URL with the links of an extract (RFC 6068). The shop sends nothing: the customer chooses the reader and may add words.
 * @param extract with its name: « extrait Kbis », « extrait K ».
 */
export function createForwardUrl(
	baseUrl: string,
	{ company_name, siren }: Pick<Order, "company_name" | "siren">,
	extract: { id: string; url: string; name: string },
): string {
	const subject = `E${extract.name.slice(1)} de ${company_name}`;
	const body = [
		"Bonjour,",
		`Voici l’${extract.name} de ${company_name} (SIREN ${siren}).`,
		`Téléchargez-le dans les ${formatPeriod({ hours: documentLinkHours })}\u00a0:\r\n${baseUrl}${extract.url}`,
		`Vérifiez que le fichier n’a pas été modifié\u00a0:\r\n${absoluteUrl(baseUrl, "/verifier/:document", { document: extract.id })}`,
	].join("\r\n\r\n");
	return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
