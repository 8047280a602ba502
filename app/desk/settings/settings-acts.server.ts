import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import type { Fields } from "../../desk-log/desk-log.server.ts";
import type { Shop } from "../../shop.ts";
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
import { type Capacity, defaultSettings, settingLabels } from "../../shop-settings/shop-settings.ts";
import { type ActRefusal, type ActResult, defineAct } from "../acts/act.ts";

interface Change {
	shop: Shop;
	author: SettingAuthor;
	fields: Fields;
}

/** An act that changes one setting. Its fields are read with the shop's clock, so in `run`. */
const settingAct = (label: string, change: (call: Change) => Promise<SettingOutcome | ActRefusal>) =>
	defineAct<Fields>({
		role: "settings",
		label,
		parse: (fields) => ({ ok: true, input: fields }),
		async run({ shop, actor }, fields) {
			return toResult(await change({ shop, author: { id: actor.id, name: actor.name }, fields }));
		},
	});

function toResult(outcome: SettingOutcome | ActRefusal): ActResult {
	if (!outcome.ok) return "text" in outcome ? outcome : refuse(settingRefusals[outcome.code]);
	const { name, before, after } = outcome;
	const describe = (value: unknown): JsonObject => ({ [settingLabels[name]]: describeSetting(name, value as never, null) });
	return { ok: true, text: "C’est changé. Le site le dit dès maintenant.", before: describe(before), after: describe(after) };
}

const refuse = (text: string, field?: string): ActRefusal => ({ ok: false, text, ...(field && { field }) });

/** Reads « today », an instant in Paris, or nothing: without an end. */
function readEnd({ shop, fields }: Change): { ok: true; until: Date | null } | ActRefusal {
	const { until = "" } = fields;
	if (until === "") return { ok: true, until: null };
	if (until === "today") return { ok: true, until: findEndOfDay(shop.now()) };
	const instant = parseLocalInstant(until, shop.now());
	return instant ? { ok: true, until: instant } : refuse("Cette fin ne se lit pas. Exemples\u00a0: 14h30, 24/12/2026 8h.", "until");
}

function readDays({ shop, fields: { from = "", to = "" } }: Change): { ok: true; range: { from: string; to: string } } | ActRefusal {
	const first = parseDay(from, shop.now());
	if (first === null) return refuse("Ce jour ne se lit pas. Exemple\u00a0: 24/12/2026.", "from");
	const last = to.trim() === "" ? first : parseDay(to, shop.now());
	return last === null ? refuse("Ce jour ne se lit pas. Exemple\u00a0: 26/12/2026.", "to") : { ok: true, range: { from: first, to: last } };
}

/** What the shop sells, and when (docs/rules.md, R80 to R83). */
export const settingsActs = {
	"close-shop": settingAct("Fermer la boutique", async (call) => {
		const end = readEnd(call);
		return end.ok ? closeShop(call.shop, call.author, { until: end.until, sentence: call.fields.sentence ?? null }) : end;
	}),
	"reopen-shop": settingAct("Rouvrir la boutique", ({ shop, author }) => reopenShop(shop, author)),
	"pause-express": settingAct("Arrêter l’express", async (call) => {
		const end = readEnd(call);
		return end.ok ? pauseExpress(call.shop, call.author, end.until) : end;
	}),
	"resume-express": settingAct("Reprendre l’express", ({ shop, author }) => resumeExpress(shop, author)),
	"add-days-off": settingAct("Ajouter des jours de fermeture", async (call) => {
		const days = readDays(call);
		return days.ok ? addDaysOff(call.shop, call.author, days.range) : days;
	}),
	"remove-days-off": settingAct("Retirer des jours de fermeture", async (call) => {
		const days = readDays(call);
		return days.ok ? removeDaysOff(call.shop, call.author, days.range) : days;
	}),
	"set-capacity": settingAct("Limiter les commandes par heure", async ({ shop, author, fields }) => {
		const limits: Partial<Capacity> = {};
		for (const name of typedKeys(defaultSettings.capacity)) {
			const limit = parseLimit(fields[name] ?? "");
			if (limit === undefined) return refuse(settingRefusals["wrong-limit"], name);
			limits[name] = limit;
		}
		return setCapacity(shop, author, limits);
	}),
	"set-refund-brake": settingAct("Régler le frein des remboursements", async ({ shop, author, fields }) => {
		const [refunds, euros] = [parseLimit(fields.refunds ?? ""), parseLimit(fields.euros ?? "")];
		if (refunds === undefined) return refuse(settingRefusals["wrong-limit"], "refunds");
		if (euros === undefined) return refuse(settingRefusals["wrong-limit"], "euros");
		return setRefundBrake(shop, author, { refunds, cents: euros === null ? null : euros * 100 });
	}),
};
