import { sql } from "kysely";
import { expect, vi } from "vitest";
import { startFakeSmtp } from "../fakes/smtp.ts";
import { createTestShop } from "../shop.ts";
import { scaledTimeout } from "../time-limits.ts";

export type SpaceShop = Awaited<ReturnType<typeof createSpaceShop>>;

/** A shop with a mail server, and the steps of a customer who opens « Mes commandes ». */
export async function createSpaceShop(variables: Record<string, string> = {}, onLog?: (line: string) => void) {
	const smtp = await startFakeSmtp();
	const opened = await createTestShop({
		variables: { SMTP_URL: smtp.url, TRUSTED_PROXIES: "1", LOG_LEVEL: "silent", ...variables },
		onLog,
	});
	const { db } = opened.shop;

	let visitors = 0;
	/** Sends the form that asks for the link, each time from another place. */
	const askForLink = (email: string, { from = `10.${++visitors >> 8}.1.${visitors % 256}`, fields = {} }: AskOptions = {}) =>
		opened.postForm("/mes-commandes", { email, ...fields }, { "x-forwarded-for": from });

	/** Waits until no job of a link is left. */
	const waitForLinks = () =>
		vi.waitFor(
			async () => {
				const { rows } = await sql`select from jobs.job where name = 'send-customer-link' and state < 'completed'`.execute(db);
				if (rows.length > 0) throw new Error("still under way");
			},
			{ timeout: scaledTimeout(30_000), interval: 25 },
		);

	/** The paths of the links that an address was sent, oldest first. */
	async function linksTo(email: string): Promise<string[]> {
		await waitForLinks();
		const mails = smtp.mails.filter(({ to }) => to.some((address) => address.toLowerCase() === email.toLowerCase()));
		return mails.flatMap(({ content }) => content.text?.match(/(?<=http:\/\/[\w.:]+)\/mes-commandes\/lien\/\S+/g) ?? []);
	}

	/** Lets a mailbox have another e-mail at once. */
	const resetLimits = () => sql`delete from rate_limits`.execute(db);

	async function getLink(email: string): Promise<string> {
		await resetLimits();
		expect((await askForLink(email)).status).toBe(303);
		return (await linksTo(email)).at(-1) ?? expect.fail(`nothing came to ${email}`);
	}

	/** Presses the button behind a link. */
	const pressButton = (link: string, headers: Record<string, string> = {}) => opened.postForm(link, {}, headers);

	/** Opens the space of a mailbox that has orders. @returns the cookie of its session. */
	async function signIn(email: string, userAgent?: string): Promise<string> {
		const answer = await pressButton(await getLink(email), userAgent === undefined ? {} : { "user-agent": userAgent });
		expect([answer.status, answer.headers.get("location")]).toEqual([303, "/mes-commandes"]);
		return readCookie(answer);
	}

	return {
		...{ ...opened, smtp, askForLink, waitForLinks, linksTo, resetLimits, getLink, pressButton, signIn },
		/** Requests a path with a cookie. */
		visit: (path: string, cookie: string) => opened.ask(path, { headers: { cookie } }),
		submit: (path: string, cookie: string, fields: Record<string, string>) => opened.postForm(path, fields, { cookie }),
		async stop() {
			await opened.close();
			await smtp.close();
		},
	};
}

interface AskOptions {
	/** The client's IP. */
	from?: string;
	fields?: Record<string, string>;
}

/** What a browser sends after an answer with one cookie. */
export const readCookie = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(";")[0] ?? expect.fail("no cookie");

/** The text of a page without the marks of the framework, with plain blanks. */
export const readPlain = async (answer: Response): Promise<string> =>
	(await answer.text())
		.replaceAll("<!-- -->", "")
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'");
