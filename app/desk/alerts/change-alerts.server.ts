import type { Shop } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import type { Operator } from "../operators/operators.store.server.ts";
import type { Actor } from "../operators/roles.ts";
import { countPushDevices, deletePushDevice, insertPushDevice, isOnDuty, updateDuty } from "./alerts.store.server.ts";
import type { AlertsPanelProps } from "./alerts-panel.tsx";
import { parsePushDevice } from "./pusher.server.ts";

interface Answer {
	ok: boolean;
	text: string;
}

type RecordedAnswer = Answer & { before?: { devices: number }; after?: { devices: number } };

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

/** By what the form asks for. */
const verbs: Readonly<Record<string, Verb>> = {
	"on-duty": "start-duty",
	"off-duty": "end-duty",
	subscribe: "add-device",
	unsubscribe: "remove-device",
};

/** Handles the forms of an operator's own alerts. Each change is a line of the trail, without the device's address. */
export async function changeAlerts(shop: Pick<Shop, "db" | "now" | "log" | "pusher">, actor: Actor, form: FormData): Promise<Answer> {
	const { db, now, pusher } = shop;
	const operatorId = actor.id;
	const what = String(form.get("do") ?? "");
	const device = String(form.get("device") ?? "");
	const verb = Object.hasOwn(verbs, what) ? verbs[what] : undefined;
	if (verb === undefined) return { ok: false, text: "Cette demande n’est pas connue." };
	const { ok, text } = await runRecorded(shop, { verb, actor }, async (): Promise<RecordedAnswer> => {
		const before = { devices: await countPushDevices(db, operatorId) };
		const done = async (text: string) => ({ ok: true, text, before, after: { devices: await countPushDevices(db, operatorId) } });
		switch (what) {
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
				return done("Cet appareil affiche les alertes.");
			}
			default:
				await deletePushDevice(db, device, operatorId);
				return done("Cet appareil n’affiche plus les alertes.");
		}
	});
	return { ok, text };
}
