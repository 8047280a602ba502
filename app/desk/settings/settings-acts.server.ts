import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import type { Fields } from "../../desk-log/acts.store.server.ts";
import { describeSetting, settingRefusals } from "../../shop-settings/describe-settings.ts";
import { settingLabels } from "../../shop-settings/shop-settings.ts";
import { type TypedChange, typedChanges, type UnreadableSetting } from "../../shop-settings/typed-changes.server.ts";
import { defineAct } from "../acts/act.ts";

/** An act that changes one setting. Its fields are read with the shop's clock, so in `run`. */
const settingAct = (label: string, change: TypedChange) =>
	defineAct<Fields>({
		role: "settings",
		label,
		parse: (fields) => ({ ok: true, input: fields }),
		async run({ shop, actor }, fields) {
			const outcome = await change(shop, { id: actor.id, name: actor.name }, fields);
			if (!outcome.ok) {
				const text = { ...settingRefusals, ...unreadable }[outcome.code];
				return { ok: false, text, ...("field" in outcome && { field: outcome.field }) };
			}
			const { name, before, after } = outcome;
			const describe = (value: unknown): JsonObject => ({ [settingLabels[name]]: describeSetting(name, value as never, null) });
			return { ok: true, text: "C’est enregistré. Le site l’affiche dès maintenant.", before: describe(before), after: describe(after) };
		},
	});

const unreadable: Record<UnreadableSetting["code"], string> = {
	"unreadable-end": "Cette fin ne se lit pas. Exemples\u00a0: 14h30, 24/12/2026 8h.",
	"unreadable-day": "Ce jour ne se lit pas. Exemple\u00a0: 24/12/2026.",
	"unreadable-limit": settingRefusals["wrong-limit"],
};

/** What the shop sells, and when (docs/rules.md, R80 to R83). */
export const settingsActs = {
	"close-shop": settingAct("Fermer la boutique", typedChanges.close),
	"reopen-shop": settingAct("Rouvrir la boutique", typedChanges.reopen),
	"pause-express": settingAct("Arrêter l’express", typedChanges.pauseExpress),
	"resume-express": settingAct("Reprendre l’express", typedChanges.resumeExpress),
	"add-days-off": settingAct("Ajouter des jours de fermeture", typedChanges.addDaysOff),
	"remove-days-off": settingAct("Retirer des jours de fermeture", typedChanges.removeDaysOff),
	"set-capacity": settingAct("Limiter les commandes par heure", typedChanges.setCapacity),
	"set-refund-brake": settingAct("Régler le frein des remboursements", typedChanges.setRefundBrake),
	"read-bulletin": settingAct("Relever le BODACC chaque jour", typedChanges.readBulletin),
	"stop-bulletin": settingAct("Arrêter le relevé du BODACC", typedChanges.stopBulletin),
};
