import { sql } from "kysely";
import { expect, vi } from "vitest";
import { queueAlertsAtOnce, queueWeeklyAlerts } from "../app/companies/alerts/queue-alerts.server.ts";
import { createLog } from "../server/observability/log.ts";
import { startFakeSmtp } from "./fakes/smtp.ts";
import { publishNotice, recordReading } from "./publish-notice.ts";
import { createTestShop } from "./shop.ts";
import { scaledTimeout } from "./time-limits.ts";

/** A company of the sample that the tests follow. */
export const danone = "552032534";

/** All topics but the accounts, as the form ticks them. */
export const defaultTopics = ["changes", "creations", "removals", "proceedings", "sales"];

/** A log whose records a test reads. */
export function createRecordedLog() {
	const lines: Record<string, unknown>[] = [];
	return { lines, log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }) };
}

export type AlertShop = Awaited<ReturnType<typeof createAlertShop>>;

/** A shop with a mail server and a clock, and the steps of somebody who follows companies. */
export async function createAlertShop(start: string) {
	const clock = { at: new Date(start) };
	const smtp = await startFakeSmtp();
	const variables = { SMTP_URL: smtp.url, LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" };
	const opened = await createTestShop({ variables, now: () => clock.at });
	const { db } = opened.shop;
	// these tests read the bulletin themselves, one day or none
	opened.shop.readWatch = async () => true;

	let visitors = 0;
	let notices = 0;
	/** Sends the form of a company, each time from another place. */
	const ask = (
		email: string,
		{
			siren = danone,
			frequency = "at-once",
			topics = defaultTopics,
			fields = {},
			from = `10.${++visitors >> 8}.0.${visitors % 256}`,
		}: AskOptions = {},
	) =>
		opened.ask(`/entreprise/${siren}/alerte`, {
			method: "POST",
			body: new URLSearchParams([...Object.entries({ email, frequency, ...fields }), ...topics.map((topic) => ["topic", topic])]),
			headers: { "x-forwarded-for": from },
		});

	const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

	/** Waits until no job of an alert is left that may begin. */
	const waitForJobs = () =>
		vi.waitFor(
			async () => {
				const { rows } =
					await sql`select from jobs.job where name like '%company-alert%' and name not like 'queue-%' and state < 'completed'
						and (state <> 'created' or start_after <= now())`.execute(db);
				if (rows.length > 0) throw new Error("still under way");
			},
			{ timeout: scaledTimeout(30_000), interval: 25 },
		);

	/** The links of one kind that an address was sent, oldest first, once no job is left. */
	async function linksTo(email: string, kind: "confirmer" | "fin" | "desinscription" | "[\\w-]+\\."): Promise<string[]> {
		await waitForJobs();
		return mailsTo(email).flatMap(({ content }) => content.text?.match(new RegExp(`http\\S+/alertes/${kind}\\S+`, "g")) ?? []);
	}

	return {
		...opened,
		smtp,
		clock,
		ask,
		/** Requests a path of the shop. */
		request: opened.ask,
		mailsTo,
		linksTo,
		waitForJobs,
		days(count: number) {
			clock.at = new Date(clock.at.getTime() + count * 86_400_000);
		},
		/** Follows a company and confirms. @returns the alert, and the links of its confirmation and of its mailbox's list. */
		async follow(email: string, options?: AskOptions) {
			// soon after the mailbox's last confirmation, the next one waits for others
			const known = await db.selectFrom("company_followers").select("confirm_after").where("email", "=", email).executeTakeFirst();
			if (known?.confirm_after && known.confirm_after > clock.at) clock.at = known.confirm_after;
			expect((await ask(email, options)).status).toBe(303);
			const link = (await linksTo(email, "confirmer")).at(-1) ?? expect.fail(`nothing came to ${email}`);
			const page = await (await opened.postForm(link, {})).text();
			expect(page).toContain("Votre alerte est confirmée");
			const list = /href="[^"]*(\/alertes\/[\w-]+\.[\w-]+)"/.exec(page)?.[1] ?? expect.fail("no link to the list");
			const rows = await db
				.selectFrom("company_alerts")
				.innerJoin("company_followers", "company_followers.id", "follower_id")
				.selectAll("company_alerts")
				.where("email", "=", email)
				.where("siren", "=", (options?.siren ?? danone) as never)
				.where("ended_at", "is", null)
				.execute();
			const [alert = expect.fail("no alert")] = rows;
			return { alert, link, list };
		},
		/** The alerts of an address, oldest first. */
		listAlerts: (email: string) =>
			db
				.selectFrom("company_alerts")
				.innerJoin("company_followers", "company_followers.id", "follower_id")
				.selectAll("company_alerts")
				.where(sql<boolean>`lower(email) = lower(${email})`)
				.orderBy("requested_at")
				.execute(),
		/** Publishes a notice on the shop's day, unless another day is given. @returns its id. */
		async publish(notice: Partial<Parameters<typeof publishNotice>[1]> = {}): Promise<string> {
			const id = notice.id ?? `B2026${String(1000 + ++notices)}${notices}`;
			await publishNotice(db, { siren: danone, publishedOn: clock.at.toISOString().slice(0, 10), ...notice, id });
			return id;
		},
		/** Reads the bulletin and does what the clock starts after it. */
		async tell(frequency: "at-once" | "weekly" = "at-once"): Promise<void> {
			clock.at = new Date(clock.at.getTime() + 1000);
			await recordReading(db, clock.at, null);
			await (frequency === "weekly" ? queueWeeklyAlerts(opened.shop) : queueAlertsAtOnce(opened.shop));
			await waitForJobs();
		},
		/** The subjects of the e-mails with news that an address was sent. */
		newsTo: (email: string) =>
			mailsTo(email)
				.filter(({ content }) => content.headers.some(({ key }) => key === "list-unsubscribe"))
				.map(({ content }) => ({
					subject: (content.subject ?? "").replaceAll("\u00a0", " "),
					text: (content.text ?? "").replaceAll("\u00a0", " "),
					endAll: /<(.*)>/.exec(content.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "")?.[1] ?? "",
					oneClick: content.headers.find(({ key }) => key === "list-unsubscribe-post")?.value,
					messageId: content.messageId,
				})),
		async stop() {
			await opened.close();
			await smtp.close();
		},
	};
}

interface AskOptions {
	siren?: string;
	frequency?: string;
	topics?: readonly string[];
	fields?: Record<string, string>;
	/** The client's IP. */
	from?: string;
}
