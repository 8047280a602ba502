import { button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/field.tsx";

interface RememberFieldProps {
	/** Details of an earlier order are stored in this browser. */
	remembered: boolean;
	onDelete: () => void;
}

/** The customer's choice to find their details filled in next time. They stay in this browser: without JavaScript there is no choice. */
export function RememberField({ remembered, onDelete }: RememberFieldProps) {
	return (
		<div className="flex flex-wrap items-start gap-x-6 noscript:hidden">
			<CheckboxField
				key={String(remembered)}
				name="remember"
				value="on"
				label="Retenir mes coordonnées sur cet appareil"
				optional
				defaultChecked={remembered}
			/>
			{remembered && (
				<button type="button" className={button("quiet")} onClick={onDelete}>
					Effacer mes coordonnées de cet appareil
				</button>
			)}
		</div>
	);
}
