import { useRef } from "react";
import { Form, href } from "react-router";
import type { ServiceCode } from "../catalogue/services.ts";
import { button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { ServiceChoice, useChosenService } from "./service-choice.tsx";

interface ServiceFormProps {
	siren: string;
	/** The service in the page's query. */
	service: ServiceCode | null;
	/** The form was submitted without a choice, which is possible only without JavaScript. */
	missing: boolean;
	deadlines: Record<ServiceCode, string>;
}

/** The choice of a service on a company's page; leads to the order form. */
export function ServiceForm({ siren, service, missing, deadlines }: ServiceFormProps) {
	const hydrated = useHydrated();
	const form = useRef<HTMLFormElement>(null);
	const [chosen, setChosen] = useChosenService(form, service);
	return (
		// without JavaScript, the company's page checks that a service is chosen
		<Form ref={form} action={hydrated ? href("/commande/:siren", { siren }) : href("/entreprise/:siren", { siren })}>
			{!hydrated && <input type="hidden" name="choisir" value="1" />}
			{missing && !chosen && (
				<Notice kind="failed" live className="mb-5">
					<p id="choisir">Choisissez un service pour continuer.</p>
				</Notice>
			)}
			<ServiceChoice
				detailed
				chosen={service}
				deadlines={deadlines}
				errorId={missing && !chosen ? "choisir" : undefined}
				onChoose={setChosen}
			/>
			<button type="submit" disabled={hydrated && chosen === null} className={button("primary", "mt-6 max-sm:w-full")}>
				Continuer vers la commande
			</button>
			<PrivateService className="mt-8 max-w-reading" />
		</Form>
	);
}
