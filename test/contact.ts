import { vi } from "vitest";
import { createTestShop } from "./shop.ts";
import { scaledTimeout } from "./time-limits.ts";

interface ReceivedMail {
	to: readonly string[];
	content: { replyTo?: readonly { address?: string }[] };
}

/** A shop that sends its e-mails to the fake `smtp`, with the contact messages that it receives. */
export async function createTestContact<Mail extends ReceivedMail>(smtp: { url: string; mails: readonly Mail[] }) {
	const shop = await createTestShop({ variables: { SMTP_URL: smtp.url, LOG_LEVEL: "silent" } });
	const listMessages = (email: string) => shop.shop.db.selectFrom("contact_messages").selectAll().where("email", "=", email).execute();
	return {
		shop,
		listMessages,
		mailsTo: (address: string) => smtp.mails.filter(({ to }) => to.includes(address)),
		/** The e-mails that forward a message to the shop. */
		mailsAbout: (email: string) => smtp.mails.filter(({ content }) => content.replyTo?.some(({ address }) => address === email)),
		/** The messages from an e-mail address, once both e-mails about each are sent. */
		waitForMessages: (email: string) =>
			vi.waitFor(
				async () => {
					const rows = await listMessages(email);
					if (rows.length === 0 || rows.some((row) => !row.forwarded_at || !row.acknowledged_at))
						throw new Error("the e-mails are not sent yet");
					return rows;
				},
				{ timeout: scaledTimeout(20_000), interval: 25 },
			),
	};
}
