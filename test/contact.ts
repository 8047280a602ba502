import { vi } from "vitest";
import { createTestShop } from "./shop.ts";
import { scaledTimeout } from "./time-limits.ts";

interface Received {
	to: readonly string[];
	content: { replyTo?: readonly { address?: string }[] };
}

/** A shop that mails through `smtp`, which a test started, and what becomes of the messages written to it. */
export async function createTestContact<Mail extends Received>(smtp: { url: string; mails: readonly Mail[] }) {
	const shop = await createTestShop({ variables: { SMTP_URL: smtp.url, LOG_LEVEL: "silent" } });
	const kept = (email: string) => shop.shop.db.selectFrom("contact_messages").selectAll().where("email", "=", email).execute();
	return {
		shop,
		kept,
		mailsTo: (address: string) => smtp.mails.filter(({ to }) => to.includes(address)),
		/** Those that the shop got of a message. */
		mailsAbout: (email: string) => smtp.mails.filter(({ content }) => content.replyTo?.some(({ address }) => address === email)),
		/** The messages of an address, once both mails about each have left. */
		settled: (email: string) =>
			vi.waitFor(
				async () => {
					const rows = await kept(email);
					if (rows.length === 0 || rows.some((row) => !row.forwarded_at || !row.acknowledged_at)) throw new Error("still under way");
					return rows;
				},
				{ timeout: scaledTimeout(20_000), interval: 25 },
			),
	};
}
