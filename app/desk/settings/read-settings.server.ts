import { describeDeadline, formatDeadlines } from "../../catalogue/deadlines.ts";
import { formatDayStamp } from "../../catalogue/instants.ts";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { describeSetting } from "../../catalogue/settings/describe-settings.ts";
import { formatDayRange } from "../../catalogue/settings/sales-sentences.ts";
import { listSettingChanges, readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { isInForce, settingLabels } from "../../catalogue/settings/shop-settings.ts";
import { describeBulletinState, findBulletinState } from "../../companies/bulletin/find-bulletin-state.server.ts";
import type { Shop } from "../../shop.ts";

export type SettingsData = Awaited<ReturnType<typeof readSettingsData>>;

const shownChanges = 30;

/** What is set, what the site says, and who changed what. The settings come from the database; the site's sentences are those of pages. */
export async function readSettingsData({ db, now, readSales }: Pick<Shop, "db" | "now" | "readSales">) {
	const [settings, sales, changes] = [await readSettings(db), await readSales(), await listSettingChanges(db, shownChanges)];
	const at = now();
	const bulletin = await findBulletinState(db, at);
	const deadlines = formatDeadlines(at, sales);
	return {
		closed: isInForce(settings.closure, at),
		expressPaused: isInForce(settings.expressPause, at),
		states: {
			closure: describeSetting("closure", settings.closure, at),
			expressPause: describeSetting("expressPause", settings.expressPause, at),
			capacity: describeSetting("capacity", settings.capacity, at),
			pace: describeSetting("pace", settings.pace, at),
			refundBrake: describeSetting("refundBrake", settings.refundBrake, at),
		},
		daysOff: settings.daysOff.map((range) => ({ ...range, label: `${formatDayRange(range)} ${range.to.slice(0, 4)}` })),
		capacity: settings.capacity,
		pace: settings.pace,
		brake: { refunds: settings.refundBrake.refunds, euros: settings.refundBrake.cents === null ? null : settings.refundBrake.cents / 100 },
		bulletin: { on: bulletin.state !== "off", current: bulletin.state === "read", text: describeBulletinState(bulletin) },
		site: {
			notices: sales.notices,
			offers: serviceCodes.map((code) => ({
				name: services[code].name,
				text: describeDeadline(code, deadlines[code]),
				open: deadlines[code].open,
			})),
		},
		changes: changes.map(({ name, before, after, changed_by, changed_at }) => ({
			at: formatDayStamp(changed_at),
			by: changed_by,
			name: settingLabels[name],
			before: describeSetting(name, before, null),
			after: describeSetting(name, after, null),
		})),
	};
}
