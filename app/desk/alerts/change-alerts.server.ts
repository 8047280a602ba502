import { countPushDevices, deletePushDevice, insertPushDevice, isOnDuty, updateDuty } from "../../alerts/alerts.server.ts";
import { parsePushDevice } from "../../alerts/pusher.server.ts";
import type { Operator } from "../../operators/operators.server.ts";
import type { Shop } from "../../shop.ts";
import type { AlertsPanelProps } from "./alerts-panel.tsx";

interface Answer {
	ok: boolean;
	text: string;
}

/** What an operator sees of their own alerts. */
export async function readAlerts(
	{ db, now, pusher }: Pick<Shop, "db" | "now" | "pusher">,
	{ id: operatorId, roles }: Pick<Operator, "id" | "roles">,
): Promise<AlertsPanelProps> {
	return {
		publicKey: pusher.publicKey,
		onDuty: roles.includes("serve") ? await isOnDuty(db, operatorId, now()) : null,
		devices: await countPushDevices(db, operatorId),
	};
}

/** Handles the forms of an operator's own alerts. */
export async function changeAlerts(
	{ db, now, pusher }: Pick<Shop, "db" | "now" | "pusher">,
	operatorId: string,
	form: FormData,
): Promise<Answer> {
	const device = String(form.get("device") ?? "");
	switch (form.get("do")) {
		case "on-duty":
			await updateDuty(db, operatorId, true, now());
			return { ok: true, text: "Vous êtes de service pendant douze heures." };
		case "off-duty":
			await updateDuty(db, operatorId, false, now());
			return { ok: true, text: "Vous n’êtes plus de service. Vous restez prévenu des commandes que vous avez prises." };
		case "subscribe": {
			const parsed = pusher.publicKey === null ? null : parsePushDevice(device);
			if (parsed === null) return { ok: false, text: "Ce navigateur ne peut pas être inscrit." };
			await insertPushDevice(db, operatorId, parsed, now());
			return { ok: true, text: "Cet appareil affiche les alertes." };
		}
		case "unsubscribe":
			await deletePushDevice(db, device, operatorId);
			return { ok: true, text: "Cet appareil n’affiche plus les alertes." };
		default:
			return { ok: false, text: "Cette demande n’est pas connue." };
	}
}
