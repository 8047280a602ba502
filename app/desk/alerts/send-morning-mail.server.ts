import type { Database } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import { formatWeekdayAndDate } from "../../catalogue/instants.ts";
import { cents } from "../../catalogue/money.ts";
import { findOpenRange, type OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { toCalendar, toParisDay } from "../../catalogue/settings/days-off.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { describeBulletinState, findBulletinState } from "../../companies/bulletin/find-bulletin-state.server.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { listHeldRefunds } from "../../orders/refunds/refunds.store.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { type DayWork, morningEmail } from "./alert-emails.ts";
import { countUnserved } from "./alerts.store.server.ts";

/** Minutes of the day in Paris at which the mail counts what is promised until then; and the closing. */
const checkpoints = [10 * 60, 12 * 60];

/**
 * Sends the day's work to `OPERATOR_EMAIL`; not on a day on which the shop is closed.
 * @throws when the mail server is unavailable: the job tries again, with the same Message-ID.
 */
export async function sendMorningMail(context: MailContext & { openingHours: OpeningCalendar }): Promise<void> {
	const { db, now, mailer, environment, log, openingHours } = context;
	const today = toParisDay(now());
	const calendar = toCalendar(openingHours, { ...(await readSettings(db)), closure: null }, now());
	const range = findOpenRange(today, calendar);
	if (range === null) return;
	const work = await gatherDayWork(context, { opensAt: range.from.epochMilliseconds, closesAt: range.to.epochMilliseconds });
	const content = morningEmail(work, {
		day: formatWeekdayAndDate(now()),
		deskUrl: absoluteUrl(environment.deskUrl, "/bureau/commandes"),
	});
	const sent = await mailer.send({ id: `morning-${today}`, to: environment.operatorEmail, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.error({ reason: sent.reply }, "the morning mail was refused");
}

/** Counts what waits, and what one person must serve an hour: the steepest of the day's promises. */
async function gatherDayWork({ db, environment, now }: MailContext, day: { opensAt: number; closesAt: number }): Promise<DayWork> {
	const midnight = toParisDay(now()).toZonedDateTime("Europe/Paris").epochMilliseconds;
	const start = Math.max(day.opensAt, now().getTime());
	const instants = [...checkpoints.map((minute) => midnight + minute * 60_000), day.closesAt].filter(
		(at, index, all) => at > day.opensAt && at <= day.closesAt && all.indexOf(at) === index,
	);
	const { waiting, due } = await countUnserved(
		db,
		instants.map((at) => new Date(at)),
	);
	const rates = instants.map((at, index) => ((due[index] ?? 0) / Math.max(at - start, hour / 4)) * hour);
	const held = await listHeldRefunds(db, now());
	return {
		waiting,
		due: instants.map((at, index) => ({ until: new Date(at), orders: due[index] ?? 0 })),
		perHour: Math.ceil(Math.max(0, ...rates)),
		bulletin: await describeBulletin(db, { production: environment.production, now: now() }),
		held: {
			refunds: held.length,
			cents: cents(held.reduce((sum, { amount_cents }) => sum + amount_cents, 0)),
			leavesAt: held[0]?.held_until ?? null,
		},
	};
}

/** What operators should know of the reading of the bulletin; a demo does not have to read it. */
async function describeBulletin(db: Database, { production, now }: { production: boolean; now: Date }): Promise<string | null> {
	const bulletin = await findBulletinState(db, now);
	if (bulletin.state === "read" || (bulletin.state === "off" && !production)) return null;
	return describeBulletinState(bulletin);
}
