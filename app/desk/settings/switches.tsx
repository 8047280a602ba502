import { services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { capitalise } from "../../ui/capitalise.ts";
import { TextField } from "../../ui/field.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Status } from "../../ui/notice.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import type { SettingsData } from "./read-settings.server.ts";
import { Setting } from "./setting.tsx";

const endHint = "Heure de Paris. Vide\u00a0: jusqu’à nouvel ordre.";

export function ShopSwitch({ data: { closed, states } }: { data: SettingsData }) {
	return (
		<Setting
			id="boutique"
			title="Boutique"
			state={<Status kind={closed ? "warning" : "done"}>{setFrenchSpaces(capitalise(states.closure))}</Status>}
		>
			<p className="mb-4 max-w-reading text-sm text-soft">
				Fermée, la boutique ne prend plus de commande&nbsp;; celles qui sont payées gardent leur heure. Si vous connaissez la fin,
				donnez-la&nbsp;: un paiement déjà commencé peut encore aboutir, et son heure promise part alors de la réouverture.
			</p>
			{closed ? (
				<ActForm key="reopen" act="reopen-shop" order={null}>
					<button type="submit" className={button("primary")}>
						Rouvrir la boutique
					</button>
				</ActForm>
			) : (
				<ActForm key="close" act="close-shop" order={null} className="grid max-w-form gap-4">
					{({ busy, outcome }) => (
						<>
							<TextField
								id="close-until"
								name="until"
								type="datetime-local"
								label="Jusqu’à"
								hint={endHint}
								optional
								error={findFieldError(outcome, "until")}
							/>
							<TextField
								name="sentence"
								label="Phrase pour le public"
								hint="Par exemple&nbsp;: «&nbsp;Le registre est en panne.&nbsp;»"
								optional
								maxLength={300}
								error={findFieldError(outcome, "sentence")}
							/>
							<p>
								<button type="submit" disabled={busy} className={button("secondary")}>
									Fermer la boutique
								</button>
							</p>
						</>
					)}
				</ActForm>
			)}
		</Setting>
	);
}

/** One main action on the page: to reopen the shop comes before express. */
export function ExpressSwitch({ data: { closed, expressPaused, states } }: { data: SettingsData }) {
	return (
		<Setting
			id="express"
			title={services.express.name}
			state={<Status kind={expressPaused ? "warning" : "done"}>{setFrenchSpaces(capitalise(states.expressPause))}</Status>}
		>
			{expressPaused ? (
				<ActForm key="resume" act="resume-express" order={null}>
					<button type="submit" className={button(closed ? "secondary" : "primary")}>
						Reprendre l’express
					</button>
				</ActForm>
			) : (
				<>
					<ActForm key="today" act="pause-express" order={null}>
						<input type="hidden" name="until" value="today" />
						<button type="submit" className={button("secondary")}>
							Arrêter l’express pour aujourd’hui
						</button>
					</ActForm>
					<ActForm key="until" act="pause-express" order={null} className="mt-4 flex max-w-form flex-wrap items-end gap-4">
						{({ outcome }) => (
							<>
								<TextField
									id="express-until"
									name="until"
									type="datetime-local"
									label="Ou jusqu’à"
									hint={endHint}
									error={findFieldError(outcome, "until")}
									className="min-w-44 flex-1"
								/>
								<button type="submit" className={button("secondary")}>
									Arrêter
								</button>
							</>
						)}
					</ActForm>
				</>
			)}
		</Setting>
	);
}

export function DaysOff({ days }: { days: SettingsData["daysOff"] }) {
	return (
		<Setting id="jours" title="Jours de fermeture" state={days.length === 0 ? "Aucun, hors week-ends et jours fériés." : undefined}>
			{days.length > 0 && (
				<ul className="mb-4 divide-y divide-line border-y border-line">
					{days.map(({ from, to, label }) => (
						<li key={from} className="flex flex-wrap items-center justify-between gap-x-6 py-1">
							{label}
							<ActForm act="remove-days-off" order={null}>
								<input type="hidden" name="from" value={from} />
								<input type="hidden" name="to" value={to} />
								<button type="submit" className={button("quiet")}>
									Retirer<span className="sr-only"> {label}</span>
								</button>
							</ActForm>
						</li>
					))}
				</ul>
			)}
			<p className="mb-4 max-w-reading text-sm text-soft">
				Les heures promises ne comptent pas ces jours. Celles qui sont déjà promises ne changent pas.
			</p>
			<ActForm act="add-days-off" order={null} className="flex max-w-form flex-wrap items-end gap-4">
				{({ outcome }) => (
					<>
						<TextField name="from" type="date" label="Du" required error={findFieldError(outcome, "from")} className="min-w-44 flex-1" />
						<TextField name="to" type="date" label="Au" optional error={findFieldError(outcome, "to")} className="min-w-44 flex-1" />
						<button type="submit" className={button("secondary")}>
							Ajouter
						</button>
					</>
				)}
			</ActForm>
		</Setting>
	);
}

/** Whether the shop reads the bulletin, and how far it has. */
export function BulletinSwitch({ bulletin: { on, current, text } }: Pick<SettingsData, "bulletin">) {
	return (
		<Setting id="bodacc" title="Relevé du BODACC" state={<Status kind={current ? "done" : "warning"}>{setFrenchSpaces(text)}</Status>}>
			<p className="mb-4 max-w-reading text-sm text-soft">
				La boutique relève chaque matin les annonces officielles. Le site ne promet la surveillance des extraits et les alertes sur les
				entreprises que si ce relevé est à jour. Il faut un accès à internet, et aucune clé.
			</p>
			<ActForm key={on ? "stop" : "read"} act={on ? "stop-bulletin" : "read-bulletin"} order={null}>
				<button type="submit" className={button("secondary")}>
					{on ? "Arrêter le relevé" : "Relever chaque jour"}
				</button>
			</ActForm>
		</Setting>
	);
}
