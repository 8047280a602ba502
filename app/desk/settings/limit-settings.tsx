import { services } from "../../catalogue/services.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { ActForm } from "../acts/act-form.tsx";
import { findFieldError } from "../order/field-error.ts";
import type { SettingsData } from "./read-settings.server.ts";
import { Setting } from "./setting.tsx";

export function LimitSettings({ data: { capacity, states } }: { data: SettingsData }) {
	const rows = [
		["all", "Tous services"],
		["express", services.express.name],
		["standard", services.standard.name],
		["postal", services.postal.name],
	] as const;
	return (
		<Setting
			id="limites"
			title="Commandes par heure"
			state={setFrenchSpaces(`${states.capacity.charAt(0).toUpperCase()}${states.capacity.slice(1)}.`)}
		>
			<p className="mb-4 max-w-reading text-sm text-soft">
				À la limite, le service se ferme jusqu’à ce qu’une place se libère. Sous la limite commune, l’express se ferme le premier, aux
				quatre cinquièmes.
			</p>
			<ActForm act="set-capacity" order={null} className="max-w-form">
				{({ outcome }) => (
					<>
						<div className="grid grid-cols-2 gap-4">
							{rows.map(([name, label]) => (
								<LimitField key={name} name={name} label={label} value={capacity[name]} error={findFieldError(outcome, name)} />
							))}
						</div>
						<button type="submit" className={button("secondary", "mt-4")}>
							Enregistrer
						</button>
					</>
				)}
			</ActForm>
		</Setting>
	);
}

export function BrakeSetting({ data: { brake, states } }: { data: SettingsData }) {
	return (
		<Setting
			id="frein"
			title="Remboursements automatiques"
			state={setFrenchSpaces(`${states.refundBrake.charAt(0).toUpperCase()}${states.refundBrake.slice(1)}.`)}
		>
			<p className="mb-4 max-w-reading text-sm text-soft">
				Au-delà du frein, les remboursements de retard attendent une personne, 24&nbsp;heures au plus, puis ils partent d’eux-mêmes. Le
				client sait que la somme lui est due.
			</p>
			<ActForm act="set-refund-brake" order={null} className="max-w-form">
				{({ outcome }) => (
					<>
						<div className="grid grid-cols-2 gap-4">
							<LimitField name="refunds" label="Nombre par heure" value={brake.refunds} error={findFieldError(outcome, "refunds")} />
							<LimitField name="euros" label="Euros par heure" value={brake.euros} error={findFieldError(outcome, "euros")} />
						</div>
						<button type="submit" className={button("secondary", "mt-4")}>
							Enregistrer
						</button>
					</>
				)}
			</ActForm>
		</Setting>
	);
}

function LimitField({ name, label, value, error }: { name: string; label: string; value: number | null; error: string | undefined }) {
	return (
		<TextField
			key={value ?? ""}
			name={name}
			label={label}
			inputMode="numeric"
			autoComplete="off"
			maxLength={6}
			defaultValue={value ?? ""}
			placeholder="Sans limite"
			error={error}
			className="flex flex-col justify-end"
		/>
	);
}
