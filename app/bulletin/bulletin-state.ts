import { formatDay } from "./notice.ts";

/**
 * Whether the shop reads the bulletin. `off`: it is switched off. `never`: no day was read whole yet. `late`: the last day that was read,
 * yyyy-mm-dd, is older than its issue may be; `days`: whole days ago.
 */
export type BulletinState = { state: "off" } | { state: "never" } | { state: "read" | "late"; readUntil: string; days: number };

/** In a sentence, for operators. */
export function describeBulletinState(bulletin: BulletinState): string {
	if (bulletin.state === "off") return "Arrêté\u00a0: le site ne promet ni surveillance ni alertes.";
	if (bulletin.state === "never") return "En marche, et rien n’est encore relevé.";
	const until = `complet jusqu’au ${formatDay(bulletin.readUntil)}`;
	return bulletin.state === "read" ? `En marche, ${until}.` : `En retard\u00a0: ${until} seulement.`;
}
