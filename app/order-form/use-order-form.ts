import { type FormEvent, useEffect, useRef, useState } from "react";
import { parseServiceCode, type ServiceCode, suggestedService } from "../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../companies/company.ts";
import type { BillingIdentity } from "./billing-identity.ts";
import { hasRemembered } from "./draft.ts";
import type { FieldTexts } from "./fields/fill-fields.ts";
import type { OrderErrors, OrderField, OrderValues } from "./order-form.ts";
import { useChosenService } from "./service-choice.tsx";
import { useDraft } from "./use-draft.ts";
import { useFormCode } from "./use-form-code.ts";

export interface OrderFormStart {
	values: OrderValues;
	errors: OrderErrors;
	company: CompanyPreview | null;
	/** Only this address, whose domain looks mistyped, stopped the order. */
	doubtful: OrderField | null;
	/** What was probably meant by such addresses. */
	suggestions: OrderErrors;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	/** A draft was restored: focus its first field. */
	restored: boolean;
}

/** The state of the order form. Its fields are uncontrolled; the rules run here on submit, and again on the server. */
export function useOrderForm({ values, errors: initialErrors, company: initialCompany, serviceGiven, restored, ...start }: OrderFormStart) {
	const form = useRef<HTMLFormElement>(null);
	const { ready, functions, load } = useFormCode();
	const [errors, setErrors] = useState(initialErrors);
	const [summary, setSummary] = useState(initialErrors);
	const [company, setCompany] = useState(initialCompany);
	const orderable = getOrderable(company);
	const [service, setService] = useChosenService(form, ready, parseServiceCode(values.service) ?? suggestedService);
	const [serviceConfirmed, setServiceConfirmed] = useState(serviceGiven);
	const [remembered, setRemembered] = useState(false);
	const [doubtful, setDoubtful] = useState(start.doubtful);
	const [lastIdentity, setLastIdentity] = useState<BillingIdentity | null>(null);
	const draft = useDraft(form, functions, orderable);
	useEffect(() => {
		if (restored && ready) form.current?.querySelector<HTMLInputElement>("#email")?.focus();
	}, [restored, ready]);
	// before React: it stops events of fields whose code has not arrived
	useEffect(() => {
		const loadOnUse = ({ target }: Event) => {
			if (target instanceof Node && form.current?.contains(target)) load();
		};
		window.addEventListener("focusin", loadOnUse, true);
		window.addEventListener("input", loadOnUse, true);
		return () => {
			window.removeEventListener("focusin", loadOnUse, true);
			window.removeEventListener("input", loadOnUse, true);
		};
	}, [load]);
	useEffect(() => {
		if (hasRemembered()) load();
	}, [load]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: once, when the code has arrived
	useEffect(() => {
		const stored = functions.current?.loadRemembered() ?? null;
		setRemembered(stored !== null);
		if (!stored || !form.current || values.email !== "") return;
		functions.current?.fillFields(form.current, stored.contact, { keepTyped: true });
		// a choice that was made stays
		if (values.billTo === "") setLastIdentity(stored.identity);
	}, [ready]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the code arrived
	useEffect(() => {
		if (ready) draft.changed();
	}, [ready]);

	/** Call after each edit of fields: removes their errors, and schedules the save of the draft. */
	const edited = (...fields: string[]) => {
		setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !fields.includes(name))));
		setDoubtful((field) => (field && fields.includes(field) ? null : field));
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
		doubtful,
		/** Whom the remembered order was invoiced to. */
		lastIdentity,
		/** Details of an earlier order are stored in this browser. */
		remembered,
		edited,
		/** The code of the fields has arrived. */
		ready,
		fill(texts: FieldTexts) {
			if (form.current && functions.current) edited(...functions.current.fillFields(form.current, texts));
		},
		deleteRemembered() {
			functions.current?.deleteRemembered();
			setRemembered(false);
		},
		chooseService(code: ServiceCode) {
			setService(code);
			setServiceConfirmed(true);
		},
		chooseCompany(chosen: CompanyPreview | null) {
			setCompany(chosen);
			edited("siren" satisfies OrderField);
		},
		submit(event: FormEvent<HTMLFormElement>) {
			// the buttons of single fields submit without a check
			const submitter = (event.nativeEvent as SubmitEvent).submitter;
			if (submitter?.getAttribute("name") === "intent") return;
			if (!functions.current) return; // the server checks alone
			const { checkOwnForm, completeValues, correctTyped, readOrderValues, saveRemembered, deleteRemembered } = functions.current;
			correctTyped(event.currentTarget, submitter, start.suggestions);
			const submitted = new FormData(event.currentTarget);
			const current = readOrderValues(submitted);
			const invalid = checkOwnForm({ ...current, siren: orderable?.siren ?? current.siren });
			setErrors(invalid);
			setSummary(invalid);
			if (Object.keys(invalid).length > 0) {
				setDoubtful(null);
				event.preventDefault();
				return;
			}
			draft.save(); // for a customer who comes back with the back button
			if (submitted.has("remember")) saveRemembered(orderable ? completeValues(current, [{ service, company: orderable }]) : current);
			else deleteRemembered();
		},
	};
}
