import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import { describeSetting, settingRefusals } from "../../catalogue/settings/describe-settings.ts";
import { settingLabels } from "../../catalogue/settings/shop-settings.ts";
import { type TypedChange, typedChanges, type UnreadableSetting } from "../../catalogue/settings/typed-changes.server.ts";
import { defineAct } from "../acts/act.ts";
import type { FieldParser, Fields } from "../acts/fields.ts";

const unreadable: Record<UnreadableSetting["code"], string> = {
	"unreadable-end": "Cette fin ne se lit pas. Exemples\u00a0: 14h30, 24/12/2026 8h.",
	"unreadable-day": "Ce jour ne se lit pas. Exemple\u00a0: 24/12/2026.",
	"unreadable-limit": settingRefusals["wrong-limit"],
};

/** The fields of a setting are read in its run, with the shop's clock. */
const allFields: FieldParser<Fields> = (_, sent) => ({ ok: true, value: sent });

/** An act that changes one setting. */
const settingAct = (name: string, label: string, change: TypedChange) =>
	defineAct({
		name,
		role: "settings",
		label,
		fields: { sent: allFields },
		async run({ shop, actor }, { sent }) {
			const outcome = await change(shop, { id: actor.id, name: actor.name }, sent);
			if (!outcome.ok) {
				const text = { ...settingRefusals, ...unreadable }[outcome.code];
				return { ok: false, text, ...("field" in outcome && { field: outcome.field }) };
			}
			const { name, before, after } = outcome;
			const describe = (value: unknown): JsonObject => ({ [name]: describeSetting(name, value as never, null) });
			return { ok: true, text: "C’est enregistré. Le site l’affiche dès maintenant.", before: describe(before), after: describe(after) };
		},
		changes: settingLabels,
	});

/** What the shop sells, and when (docs/rules.md, R80 to R83). */
export const settingsActs = [
	settingAct("close-shop", "Fermer la boutique", typedChanges.close),
	settingAct("reopen-shop", "Rouvrir la boutique", typedChanges.reopen),
	settingAct("pause-express", "Arrêter l’express", typedChanges.pauseExpress),
	settingAct("resume-express", "Reprendre l’express", typedChanges.resumeExpress),
	settingAct("add-days-off", "Ajouter des jours de fermeture", typedChanges.addDaysOff),
	settingAct("remove-days-off", "Retirer des jours de fermeture", typedChanges.removeDaysOff),
	settingAct("set-capacity", "Limiter les commandes par heure", typedChanges.setCapacity),
	settingAct("set-pace", "Régler le rythme du bureau", typedChanges.setPace),
	settingAct("set-refund-brake", "Régler le frein des remboursements", typedChanges.setRefundBrake),
	settingAct("read-bulletin", "Relever le BODACC chaque jour", typedChanges.readBulletin),
	settingAct("stop-bulletin", "Arrêter le relevé du BODACC", typedChanges.stopBulletin),
];
