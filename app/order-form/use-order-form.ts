import { type FormEvent, useEffect, useRef, useState } from "react";
import { parseServiceCode, type ServiceCode, suggestedService } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { checkOrder, type OrderErrors, type OrderValues, readOrderValues } from "./order-form.ts";
import { useChosenService } from "./service-choice.tsx";
import { useDraft } from "./use-draft.ts";

export interface OrderFormStart {
	values: OrderValues;
	errors: OrderErrors;
	company: CompanyPreview | null;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	/** A draft was restored: focus its first field. */
	restored: boolean;
}

/** The state of the order form. Its fields are uncontrolled; the rules run here on submit, and again on the server. */
export function useOrderForm({ values, errors: initialErrors, company: initialCompany, serviceGiven, restored }: OrderFormStart) {
	const form = useRef<HTMLFormElement>(null);
	const [errors, setErrors] = useState(initialErrors);
	const [summary, setSummary] = useState(initialErrors);
	const [company, setCompany] = useState(initialCompany);
	const orderable = company?.eligibility === "none" ? null : company;
	const [service, setService] = useChosenService(form, parseServiceCode(values.service) ?? suggestedService);
	const [serviceConfirmed, setServiceConfirmed] = useState(serviceGiven);
	const draft = useDraft(form, orderable);
	useEffect(() => {
		if (restored) form.current?.querySelector<HTMLInputElement>("#email")?.focus();
	}, [restored]);

	/** Call after each edit of a field: removes its error, and schedules the save of the draft. */
	const edited = (field: string) => {
		setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)));
		draft.changed();
	};
	return {
		form,
		errors,
		/** The errors of the last submit, for the summary above the form. */
		summary,
		company,
		/** The company; null when it has no extract. */
		orderable,
		service,
		serviceConfirmed,
		draft,
		edited,
		chooseService(code: ServiceCode) {
			setService(code);
			setServiceConfirmed(true);
		},
		chooseCompany(chosen: CompanyPreview | null) {
			setCompany(chosen);
			edited("siren");
		},
		submit(event: FormEvent<HTMLFormElement>) {
			// the company buttons submit without a check
			if ((event.nativeEvent as SubmitEvent).submitter?.getAttribute("name") === "intent") return;
			const current = readOrderValues(new FormData(event.currentTarget));
			const invalid = checkOrder({ ...current, siren: orderable?.siren ?? current.siren });
			setErrors(invalid);
			setSummary(invalid);
			if (Object.keys(invalid).length > 0) event.preventDefault();
			else draft.save(); // for a customer who comes back with the back button
		},
	};
}
