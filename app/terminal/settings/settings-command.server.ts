import { typedKeys } from "../../../server/types/objects.ts";
import { formatStamp } from "../../catalogue/instants.ts";
import {
	addDaysOff,
	closeShop,
	pauseExpress,
	removeDaysOff,
	reopenShop,
	resumeExpress,
	type SettingAuthor,
	type SettingOutcome,
	setCapacity,
	setRefundBrake,
} from "../../shop-settings/change-settings.server.ts";
import { describeSetting, settingRefusals } from "../../shop-settings/describe-settings.ts";
import { findEndOfDay, parseDay, parseLimit, parseLocalInstant } from "../../shop-settings/parse-settings.ts";
import { listSettingChanges, readSettings } from "../../shop-settings/settings.server.ts";
import { type Capacity, defaultSettings, type SettingName, settingLabels } from "../../shop-settings/shop-settings.ts";
import { alignColumns, formatSection } from "../columns.ts";
import { type Command, type CommandCall, type CommandResult, done, refuse } from "../command.ts";
import { getOperatorName } from "../run-recorded.server.ts";

/** The shop's settings: what is sold, and when. */

const unreadableEnd = 'Cette fin ne se lit pas. Exemples : --until 14h30, --until 24/12/2026, --until "24/12/2026 8h".';
const unreadableDay = "Ce jour ne se lit pas. Exemples : 24/12/2026, 24/12.";

type Change = (call: CommandCall, author: SettingAuthor) => Promise<SettingOutcome | CommandResult>;

/** Each act with its arguments. */
const acts: Record<string, { argCount: readonly [number, number]; change: Change }> = {
	close: {
		argCount: [0, 0],
		change: (call, author) => {
			const sentence = typeof call.options.sentence === "string" ? call.options.sentence : null;
			return withEnd(call, null, (until) => closeShop(call.shop, author, { until, sentence }));
		},
	},
	reopen: { argCount: [0, 0], change: ({ shop }, author) => reopenShop(shop, author) },
	"express-off": {
		argCount: [0, 0],
		change: (call, author) => {
			const end = call.options["no-end"] === true ? null : findEndOfDay(call.shop.now());
			return withEnd(call, end, (until) => pauseExpress(call.shop, author, until));
		},
	},
	"express-on": { argCount: [0, 0], change: ({ shop }, author) => resumeExpress(shop, author) },
	"day-off": { argCount: [1, 2], change: (call, author) => withDays(call, (range) => addDaysOff(call.shop, author, range)) },
	"day-on": { argCount: [1, 2], change: (call, author) => withDays(call, (range) => removeDaysOff(call.shop, author, range)) },
	capacity: { argCount: [1, 4], change: changeCapacity },
	brake: { argCount: [1, 2], change: changeBrake },
};

export const settings: Command = {
	usage:
		'[close | reopen | express-off | express-on | day-off <jour> [<jour>] | day-on <jour> [<jour>] | capacity all=40 express=12 | brake <nombre> <euros>] [--until "…"] [--no-end] [--sentence "…"]',
	description:
		"montre les réglages de la boutique, ou en change un : fermeture, express, jours de fermeture, commandes par heure, frein des remboursements (« - » enlève une limite)",
	argCount: [0, 5],
	options: { until: { type: "string" }, sentence: { type: "string" }, "no-end": { type: "boolean" } },
	async run(call) {
		const [name, ...args] = call.args;
		if (name === undefined) return done(await formatSettings(call));
		const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
		if (act === undefined) return refuse(`« ${name} » n’est pas un réglage. Choisissez : ${Object.keys(acts).join(", ")}.`);
		const [min, max] = act.argCount;
		if (args.length < min || args.length > max) return refuse(`Usage : npm run orders -- settings ${settings.usage}`);
		const changed = await act.change({ ...call, args }, { id: null, name: getOperatorName(call.options.as) });
		if ("text" in changed) return changed;
		if (!changed.ok) return changed.code === "unchanged" ? done(settingRefusals.unchanged) : refuse(settingRefusals[changed.code]);
		const after = describeSetting(changed.name, changed.after as never, call.shop.now());
		return done(`${settingLabels[changed.name]} : ${after}. Le site le dit dès maintenant.`);
	},
};

function withEnd(
	{ shop, options }: CommandCall,
	otherwise: Date | null,
	change: (until: Date | null) => Promise<SettingOutcome>,
): Promise<SettingOutcome | CommandResult> {
	if (typeof options.until !== "string") return change(otherwise);
	const until = parseLocalInstant(options.until, shop.now());
	return until === null ? Promise.resolve(refuse(unreadableEnd)) : change(until);
}

async function withDays(
	{ shop, args: [first = "", last = first] }: CommandCall,
	change: (range: { from: string; to: string }) => Promise<SettingOutcome>,
): Promise<SettingOutcome | CommandResult> {
	const [from, to] = [parseDay(first, shop.now()), parseDay(last, shop.now())];
	return from === null || to === null ? refuse(unreadableDay) : change({ from, to });
}

async function changeCapacity({ shop, args }: CommandCall, author: SettingAuthor): Promise<SettingOutcome | CommandResult> {
	const limits: Partial<Capacity> = {};
	for (const argument of args) {
		const [name = "", text = ""] = argument.split("=");
		const limit = argument.includes("=") ? parseLimit(text) : undefined;
		if (!Object.hasOwn(defaultSettings.capacity, name) || limit === undefined)
			return refuse("Écrivez par exemple : capacity all=40 express=12, ou express=- pour enlever une limite.");
		limits[name as keyof Capacity] = limit;
	}
	return setCapacity(shop, author, limits);
}

async function changeBrake(
	{ shop, args: [first = "", second = "-"] }: CommandCall,
	author: SettingAuthor,
): Promise<SettingOutcome | CommandResult> {
	const [refunds, euros] = [parseLimit(first), parseLimit(second)];
	if (refunds === undefined || euros === undefined)
		return refuse(
			"Écrivez par exemple : brake 20 1000 (20 remboursements ou 1 000 € par heure), brake - 1000, ou brake - pour enlever le frein.",
		);
	return setRefundBrake(shop, author, { refunds, cents: euros === null ? null : euros * 100 });
}

/** What is set, what the site says, and the latest changes. */
async function formatSettings({ shop }: CommandCall): Promise<string> {
	const now = shop.now();
	const current = await readSettings(shop.db);
	const rows = typedKeys(settingLabels).map((name) => [`${settingLabels[name]} :`, describeSetting(name, current[name] as never, now)]);
	const { notices } = await shop.readSales();
	const changes = await listSettingChanges(shop.db, 10);
	const describe = (name: SettingName, value: unknown) => describeSetting(name, value as never, null);
	return [
		alignColumns(rows),
		formatSection("Le site dit", notices.length === 0 ? [["rien de particulier"]] : notices.map(({ title, text }) => [`${title} ${text}`])),
		formatSection(
			"Derniers changements",
			changes.map(({ changed_at, changed_by, name, before, after }) => [
				formatStamp(changed_at),
				changed_by,
				settingLabels[name],
				`${describe(name, before)} → ${describe(name, after)}`,
			]),
		),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}
