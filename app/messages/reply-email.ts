import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import type { EmailContent } from "../mail/email.ts";
import { toReplyBlocks } from "./fill-reply.ts";

/** An operator's reply as an e-mail. It repeats nothing that the customer typed. */
export function composeReply({ text, subject }: { text: string; subject: string }, shop: Pick<ShopIdentity, "name">): EmailContent {
	const [first = ""] = text.split("\n").filter((line) => line.trim() !== "" && !/^bonjour\b/i.test(line));
	return {
		subject: /^re\s?:/i.test(subject) ? subject : `Re: ${subject}`,
		preheader: first.slice(0, 120),
		title: "Réponse à votre message",
		blocks: [...toReplyBlocks(text), `L’équipe ${shop.name}`],
	};
}
