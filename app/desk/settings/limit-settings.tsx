import { services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import type { SettingsData } from "./read-settings.server.ts";
import { capitalise, Setting } from "./setting.tsx";

export function LimitSettings({ data: { capacity, states } }: { data: SettingsData }) {
	return (
		<LimitSetting
			id="limites"
			title="Commandes par heure"
			state={states.capacity}
			act="set-capacity"
			limits={[
				{ name: "all", label: "Tous services", value: capacity.all },
				{ name: "express", label: services.express.name, value: capacity.express },
				{ name: "standard", label: services.standard.name, value: capacity.standard },
				{ name: "postal", label: services.postal.name, value: capacity.postal },
			]}
		>
			À la limite, le service se ferme jusqu’à ce qu’une place se libère. Sous la limite commune, l’express se ferme le premier, aux quatre
			cinquièmes.
		</LimitSetting>
	);
}

export function BrakeSetting({ data: { brake, states } }: { data: SettingsData }) {
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
	/** What the limits do. */
	children: React.ReactNode;
}

/** Limits that are saved together; an empty field is no limit. */
function LimitSetting({ id, title, state, act, limits, children }: LimitSettingProps) {
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
									placeholder="Sans limite"
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
