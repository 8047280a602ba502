import type { ReactNode } from "react";
import { serviceCodes, services } from "../../catalogue/services.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { capitalise } from "../../ui/capitalise.ts";
import { TextField } from "../../ui/field.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Notice } from "../../ui/notice.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import { AlertsPanel } from "../alerts/alerts-panel.tsx";
import { readAlerts } from "../alerts/change-alerts.server.ts";
import { getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/settings-page";
import { readSettingsData, type SettingsData } from "./read-settings.server.ts";
import { Setting } from "./setting.tsx";
import { BulletinSwitch, DaysOff, ExpressSwitch, ShopSwitch } from "./switches.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Réglages – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	return { data: await readSettingsData(shop), alerts: await readAlerts(shop, operator) };
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

export default function SettingsRoute({ loaderData: { data, alerts } }: Route.ComponentProps) {
	return (
		<SettingsPage data={data}>
			<AlertsPanel {...alerts} />
		</SettingsPage>
	);
}

/** What the shop sells and when: one switch each, what the site says now, and the changes. */
function SettingsPage({ data, children }: { data: SettingsData; children?: ReactNode }) {
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Réglages</h1>
			<div className="mt-6 grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
				<SiteState site={data.site} />
				<div className="min-w-0 lg:col-start-1 lg:row-start-1">
					<ShopSwitch data={data} />
					<ExpressSwitch data={data} />
					<DaysOff days={data.daysOff} />
					<PaceSetting data={data} />
					<LimitSettings data={data} />
					<BrakeSetting data={data} />
					<BulletinSwitch bulletin={data.bulletin} />
					{children}
				</div>
			</div>
			<Changes changes={data.changes} />
		</div>
	);
}

/** What a customer reads now. */
function SiteState({ site: { notices, offers } }: Pick<SettingsData, "site">) {
	return (
		<aside aria-labelledby="site" className="rounded-lg border border-line bg-sheet p-5 lg:sticky lg:top-6 lg:col-start-2 lg:self-start">
			<h2 id="site" className="text-lg">
				Le site dit maintenant
			</h2>
			{notices.length === 0 ? (
				<p className="mt-3 text-sm text-soft">Rien de particulier&nbsp;: tout est en vente.</p>
			) : (
				notices.map(({ kind, title, text }) => (
					<Notice key={title} kind={kind === "closed" ? "warning" : "info"} title={setFrenchSpaces(title)} className="mt-3 text-sm">
						<p>{setFrenchSpaces(text)}</p>
					</Notice>
				))
			)}
			<dl className="mt-4 grid gap-3 border-t border-line pt-4 text-sm">
				{offers.map(({ name, text }) => (
					<div key={name}>
						<dt className="font-semibold">{name}</dt>
						<dd>{setFrenchSpaces(text)}</dd>
					</div>
				))}
			</dl>
		</aside>
	);
}

function Changes({ changes }: Pick<SettingsData, "changes">) {
	return (
		<section aria-labelledby="changements" className="mt-10">
			<h2 id="changements" className="text-xl">
				Changements
			</h2>
			{changes.length === 0 ? (
				<p className="mt-3 text-soft">Aucun réglage n’a encore été changé.</p>
			) : (
				<ol className="mt-3 divide-y divide-line border-y border-line text-sm">
					{changes.map(({ at, by, name, before, after }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the lines have no state
						<li key={index} className="grid gap-x-6 gap-y-1 py-2 md:grid-cols-[11rem_9rem_13rem_1fr]">
							<span className="figures text-soft">{at}</span>
							<span>{by}</span>
							<span>{name}</span>
							<span className="min-w-0 break-words">
								{setFrenchSpaces(before)} <span className="text-soft">→</span> {setFrenchSpaces(after)}
							</span>
						</li>
					))}
				</ol>
			)}
		</section>
	);
}

function LimitSettings({ data: { capacity, states } }: { data: SettingsData }) {
	return (
		<LimitSetting
			id="limites"
			title="Commandes par heure"
			state={states.capacity}
			act="set-capacity"
			limits={[
				{ name: "all", label: "Tous services", value: capacity.all },
				...serviceCodes.map((code) => ({ name: code, label: services[code].name, value: capacity[code] })),
			]}
		>
			À la limite, le service se ferme jusqu’à ce qu’une place se libère. Sous la limite commune, l’express se ferme le premier, aux quatre
			cinquièmes.
		</LimitSetting>
	);
}

function PaceSetting({ data: { pace, states } }: { data: SettingsData }) {
	return (
		<LimitSetting
			id="rythme"
			title="Rythme du bureau"
			state={states.pace}
			act="set-pace"
			limits={[{ name: "pace", label: "Extraits par heure d’ouverture", value: pace }]}
			placeholder="Non réglé"
		>
			Combien d’extraits vous obtenez ensemble en une heure. «&nbsp;Prendre la suivante&nbsp;» et les heures promises en tiennent compte.
			Sans ce réglage, la boutique promet toujours le délai du catalogue.
		</LimitSetting>
	);
}

function BrakeSetting({ data: { brake, states } }: { data: SettingsData }) {
	return (
		<LimitSetting
			id="frein"
			title="Remboursements automatiques"
			state={states.refundBrake}
			act="set-refund-brake"
			limits={[
				{ name: "refunds", label: "Nombre par heure", value: brake.refunds },
				{ name: "euros", label: "Euros par heure", value: brake.euros },
			]}
		>
			Au-delà, les remboursements de retard attendent votre décision, 24&nbsp;heures au plus, puis partent d’eux-mêmes. Le client sait que
			la somme lui est due.
		</LimitSetting>
	);
}

interface LimitSettingProps {
	id: string;
	title: string;
	/** What is set, in words: « sans limite ». */
	state: string;
	act: string;
	limits: readonly { name: string; label: string; value: number | null }[];
	/** What an empty field means. */
	placeholder?: string;
	/** What the limits do. */
	children: ReactNode;
}

/** Limits that are saved together; an empty field is no limit. */
function LimitSetting({ id, title, state, act, limits, placeholder = "Sans limite", children }: LimitSettingProps) {
	return (
		<Setting id={id} title={title} state={setFrenchSpaces(`${capitalise(state)}.`)}>
			<p className="mb-4 max-w-reading text-sm text-soft">{children}</p>
			<ActForm act={act} order={null} className="max-w-form">
				{({ busy, outcome }) => (
					<>
						<div className="grid grid-cols-2 gap-4">
							{limits.map(({ name, label, value }) => (
								<TextField
									key={`${name} ${value}`}
									name={name}
									label={label}
									inputMode="numeric"
									autoComplete="off"
									maxLength={6}
									defaultValue={value ?? ""}
									placeholder={placeholder}
									error={findFieldError(outcome, name)}
									className="flex flex-col justify-end"
								/>
							))}
						</div>
						<button type="submit" disabled={busy} className={button("secondary", "mt-4")}>
							Enregistrer
						</button>
					</>
				)}
			</ActForm>
		</Setting>
	);
}
