import { typedKeys } from "../../../server/types/objects.ts";
import { formatStamp } from "../../catalogue/instants.ts";
import { describeSetting, settingRefusals } from "../../shop-settings/describe-settings.ts";
import { listSettingChanges, readSettings } from "../../shop-settings/shop-settings.store.server.ts";
import { defaultSettings, type SettingName, settingLabels } from "../../shop-settings/shop-settings.ts";
import { type TypedChange, typedChanges, type UnreadableSetting } from "../../shop-settings/typed-changes.server.ts";
import { alignColumns, formatSection } from "../columns.ts";
import { type Command, type CommandCall, done, refuse } from "../command.ts";
import { getOperatorName } from "../run-recorded.server.ts";

/** The shop's settings: what is sold, and when. */

const unreadable: Record<Exclude<UnreadableSetting["code"], "unreadable-limit">, string> = {
	"unreadable-end": 'Cette fin ne se lit pas. Exemples : --until 14h30, --until 24/12/2026, --until "24/12/2026 8h".',
	"unreadable-day": "Ce jour ne se lit pas. Exemples : 24/12/2026, 24/12.",
};
const unreadableCapacity = "Écrivez par exemple : capacity all=40 express=12, ou express=- pour enlever une limite.";
const unreadableBrake =
	"Écrivez par exemple : brake 20 1000 (20 remboursements ou 1 000 € par heure), brake - 1000, ou brake - pour enlever le frein.";

type Fields = Parameters<TypedChange>[2];

interface SettingAct {
	argCount: readonly [number, number];
	change: TypedChange;
	/** What was typed, by the names of the desk's fields; null when an argument names no field. */
	toFields?: (call: CommandCall) => Fields | null;
	/** The sentence about a limit that cannot be read. */
	example?: string;
}

const toEnd = ({ options: { until } }: CommandCall) => (typeof until === "string" ? { until } : {});
const toDays = ({ args: [from = "", to = ""] }: CommandCall) => ({ from, to });

/** Each act with its arguments. */
const acts: Record<string, SettingAct> = {
	close: {
		argCount: [0, 0],
		change: typedChanges.close,
		toFields: (call) => ({ ...toEnd(call), ...(typeof call.options.sentence === "string" && { sentence: call.options.sentence }) }),
	},
	reopen: { argCount: [0, 0], change: typedChanges.reopen },
	"express-off": {
		argCount: [0, 0],
		change: typedChanges.pauseExpress,
		toFields: (call) => ({ until: call.options["no-end"] === true ? "" : "today", ...toEnd(call) }),
	},
	"express-on": { argCount: [0, 0], change: typedChanges.resumeExpress },
	"day-off": { argCount: [1, 2], change: typedChanges.addDaysOff, toFields: toDays },
	"day-on": { argCount: [1, 2], change: typedChanges.removeDaysOff, toFields: toDays },
	capacity: { argCount: [1, 4], change: typedChanges.setCapacity, toFields: toLimits, example: unreadableCapacity },
	brake: {
		argCount: [1, 2],
		change: typedChanges.setRefundBrake,
		toFields: ({ args: [refunds = "", euros = "-"] }) => ({ refunds, euros }),
		example: unreadableBrake,
	},
	"bulletin-on": { argCount: [0, 0], change: typedChanges.readBulletin },
	"bulletin-off": { argCount: [0, 0], change: typedChanges.stopBulletin },
};

/** « all=40 express=- » */
function toLimits({ args }: CommandCall): Fields | null {
	const entries = args.map((argument) => argument.split("=", 2));
	const areKnown = entries.every(([name = "", limit]) => limit !== undefined && Object.hasOwn(defaultSettings.capacity, name));
	return areKnown ? Object.fromEntries(entries) : null;
}

export const settings: Command = {
	usage:
		'[close | reopen | express-off | express-on | day-off <jour> [<jour>] | day-on <jour> [<jour>] | capacity all=40 express=12 | brake <nombre> <euros> | bulletin-on | bulletin-off] [--until "…"] [--no-end] [--sentence "…"]',
	description:
		"montre les réglages de la boutique, ou en change un : fermeture, express, jours de fermeture, commandes par heure, frein des remboursements, relevé du BODACC (« - » enlève une limite)",
	argCount: [0, 5],
	options: { until: { type: "string" }, sentence: { type: "string" }, "no-end": { type: "boolean" } },
	async run(call) {
		const [name, ...args] = call.args;
		if (name === undefined) return done(await formatSettings(call));
		const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
		if (act === undefined) return refuse(`« ${name} » n’est pas un réglage. Choisissez : ${Object.keys(acts).join(", ")}.`);
		const [min, max] = act.argCount;
		if (args.length < min || args.length > max) return refuse(`Usage : npm run orders -- settings ${settings.usage}`);
		const { change, toFields = () => ({}), example = "" } = act;
		const fields = toFields({ ...call, args });
		if (fields === null) return refuse(example);
		if (call.options.until === "") return refuse(unreadable["unreadable-end"]);
		const changed = await change(call.shop, { id: null, name: getOperatorName(call.options.as) }, fields);
		if (!changed.ok) {
			const { code } = changed;
			if (code === "unchanged") return done(settingRefusals.unchanged);
			return refuse(code === "unreadable-limit" ? example : { ...settingRefusals, ...unreadable }[code]);
		}
		const after = describeSetting(changed.name, changed.after as never, call.shop.now());
		return done(`${settingLabels[changed.name]} : ${after}. Le site le dit dès maintenant.`);
	},
};

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
