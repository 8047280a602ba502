import { useEffect, useState } from "react";
import { href, useFetcher } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice, Status } from "../../ui/notice.tsx";

export interface AlertsPanelProps {
	/** Null: the shop sends no web push. */
	publicKey: string | null;
	/** Null: the operator does not serve orders. */
	onDuty: boolean | null;
	/** Devices of this operator. */
	devices: number;
}

interface Answer {
	ok: boolean;
	text: string;
}

/** Duty, and whether this device shows alerts. Without JavaScript there is duty alone. */
export function AlertsPanel({ publicKey, onDuty, devices }: AlertsPanelProps) {
	const fetcher = useFetcher<Answer>();
	return (
		<section aria-labelledby="alertes" className="mt-10">
			<h2 id="alertes" className="text-xl">
				Alertes
			</h2>
			<p className="mt-1 max-w-reading text-sm text-soft">
				Trente minutes, puis dix minutes avant l’heure promise, vous êtes prévenu des commandes que vous avez prises et, si vous êtes de
				service, de celles que personne n’a prises. Vous êtes de service pendant douze heures après votre connexion.
			</p>
			{onDuty !== null && (
				<fetcher.Form method="post" action={href("/bureau/alertes")} className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
					<Status kind={onDuty ? "done" : "info"}>{onDuty ? "De service" : "Pas de service"}</Status>
					<button type="submit" name="do" value={onDuty ? "off-duty" : "on-duty"} className={button("secondary")}>
						{onDuty ? "Je ne suis plus de service" : "Je suis de service"}
					</button>
				</fetcher.Form>
			)}
			{fetcher.data && fetcher.state === "idle" && (
				<Notice kind={fetcher.data.ok ? "done" : "failed"} live className="mt-3">
					<p>{fetcher.data.text}</p>
				</Notice>
			)}
			{publicKey === null ? (
				<p className="mt-4 text-sm text-soft">Les notifications ne sont pas configurées&nbsp;: les alertes partent par e-mail seulement.</p>
			) : (
				<ThisDevice publicKey={publicKey} devices={devices} />
			)}
		</section>
	);
}

type DeviceState = "unknown" | "unsupported" | "denied" | "off" | "on" | "busy" | "failed";

const deviceTexts: Record<Exclude<DeviceState, "busy" | "unknown">, string> = {
	unsupported:
		"Ce navigateur n’affiche pas de notifications. Sur un iPhone, ajoutez d’abord le bureau à l’écran d’accueil (Partager, puis «\u00a0Sur l’écran d’accueil\u00a0»), et ouvrez-le de là.",
	denied: "Ce navigateur refuse les notifications de ce site. Autorisez-les dans ses réglages.",
	off: "Cet appareil n’affiche pas les alertes.",
	on: "Cet appareil affiche les alertes.",
	failed: "Le réglage n’a pas pu être enregistré. Réessayez.",
};

/** The subscription of this device (w3.org/TR/push-api). The worker's scope is the desk. */
function ThisDevice({ publicKey, devices }: { publicKey: string; devices: number }) {
	const [state, setState] = useState<DeviceState>("unknown");
	useEffect(() => {
		void findState().then(setState);
	}, []);
	const change = async (run: () => Promise<DeviceState>) => {
		setState("busy");
		setState(await run().catch((): DeviceState => (Notification.permission === "denied" ? "denied" : "failed")));
	};
	return (
		<div className="mt-4">
			{state !== "unknown" && state !== "busy" && <p role="status">{deviceTexts[state]}</p>}
			<p className="mt-2 flex flex-wrap gap-x-4">
				{(state === "off" || state === "failed") && (
					<button type="button" className={button("secondary")} onClick={() => void change(() => subscribe(publicKey))}>
						Afficher les alertes sur cet appareil
					</button>
				)}
				{state === "on" && (
					<button type="button" className={button("secondary")} onClick={() => void change(unsubscribe)}>
						Ne plus les afficher ici
					</button>
				)}
			</p>
			<p className="mt-2 text-sm text-soft">
				{devices === 0
					? "Aucun de vos appareils n’est inscrit."
					: devices === 1
						? "Un de vos appareils est inscrit."
						: `${devices} de vos appareils sont inscrits.`}
			</p>
		</div>
	);
}

const scope = href("/bureau/sw.js").replace("sw.js", "");

const findRegistration = () => navigator.serviceWorker.getRegistration(scope);

async function findState(): Promise<DeviceState> {
	if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unsupported";
	if (Notification.permission === "denied") return "denied";
	const subscription = await (await findRegistration())?.pushManager.getSubscription();
	return subscription ? "on" : "off";
}

async function subscribe(applicationServerKey: string): Promise<DeviceState> {
	if ((await Notification.requestPermission()) !== "granted") return "denied";
	await navigator.serviceWorker.register(href("/bureau/sw.js"), { scope });
	const registration = await navigator.serviceWorker.ready;
	const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
	if (await send("subscribe", JSON.stringify(subscription))) return "on";
	await subscription.unsubscribe();
	return "failed";
}

async function unsubscribe(): Promise<DeviceState> {
	const subscription = await (await findRegistration())?.pushManager.getSubscription();
	if (!subscription) return "off";
	await send("unsubscribe", subscription.endpoint);
	await subscription.unsubscribe();
	return "off";
}

/** @returns whether the shop has recorded it. */
async function send(act: "subscribe" | "unsubscribe", device: string): Promise<boolean> {
	const body = new URLSearchParams({ do: act, device });
	const answer = await fetch(href("/bureau/alertes"), { method: "POST", body, headers: { accept: "application/json" } });
	if (!answer.ok) return false;
	const { ok }: Answer = await answer.json();
	return ok;
}
