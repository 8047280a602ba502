import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import { suggestedService } from "../../catalogue/services.ts";
import { type CompanyPreview, getOrderable } from "../../companies/company.ts";
import type { BillingIdentity } from "./billing-identity.ts";
import { type Draft, deleteDraft, hasRemembered, loadDraft } from "./draft.ts";
import type { FieldTexts } from "./fields/fill-fields.ts";
import type { FormPage, FormState } from "./form-state.ts";
import { lineFields } from "./lines/line-fields.ts";
import type { OrderErrors, OrderField } from "./order-form.ts";
import { type FormFunctions, useFormCode } from "./use-form-code.ts";
import { type ListPlace, useListButtons } from "./use-list-place.ts";
import { listOrdered, useServices } from "./use-services.ts";

export interface OrderFormStart {
	/** The content of the form, and what the server says of it. */
	page: FormPage;
	/** The company of a form without a list. */
	company: CompanyPreview | null;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	/** A draft was restored: focus its first field. */
	restored: boolean;
	/** Where a list was changed. */
	place: RefObject<ListPlace | null>;
}

/** The state of the order form. Its fields are uncontrolled; the rules run here on submit, and again on the server. */
export function useOrderForm({ page, company: initialCompany, serviceGiven, restored, place }: OrderFormStart) {
	const { hasList, values } = page;
	const form = useRef<HTMLFormElement>(null);
	const { ready, drawnHere, functions, load } = useFormCode();
	const [errors, setErrors] = useState(page.errors);
	const [summary, setSummary] = useState(page.summary ?? page.errors);
	const [company, setCompany] = useState(initialCompany);
	const orderable = getOrderable(company);
	const services = useServices(form, page, { suggested: hasList ? null : suggestedService, ready });
	const [serviceConfirmed, setServiceConfirmed] = useState(serviceGiven);
	const [remembered, setRemembered] = useState(false);
	const [doubtful, setDoubtful] = useState(page.doubtful);
	const [lastIdentity, setLastIdentity] = useState<BillingIdentity | null>(null);
	const changeList = useListButtons(place);
	const draft = useDraft(form, functions, { company: orderable, isStored: hasList });
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
		// without a change, nothing is drawn anew while somebody types
		setErrors((before: FormState["errors"]) => {
			const others = Object.entries(before).filter(([name]) => !fields.includes(name));
			return others.length < Object.keys(before).length ? Object.fromEntries(others) : before;
		});
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
		services,
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
		/** The browser draws the form itself. */
		drawnHere,
		fill(texts: FieldTexts) {
			if (form.current && functions.current) edited(...functions.current.fillFields(form.current, texts));
		},
		deleteRemembered() {
			functions.current?.deleteRemembered();
			setRemembered(false);
		},
		confirmService: () => setServiceConfirmed(true),
		chooseCompany(chosen: CompanyPreview | null) {
			setCompany(chosen);
			edited("siren" satisfies OrderField);
		},
		submit(event: SubmitEvent<HTMLFormElement>) {
			// the buttons of single fields submit without a check
			const { submitter } = event;
			if (submitter?.hidden) {
				const typedIn = document.activeElement;
				// Enter presses the button of a search, once this event has ended, updates the list from its lines, and else goes on to the payment
				const search = typedIn?.closest("search")?.querySelector("button");
				if (search) {
					event.preventDefault();
					setTimeout(() => search.click());
					return;
				}
				submitter.setAttribute("name", typedIn?.closest("table") ? "intent" : "");
			}
			if (submitter?.getAttribute("name") === "intent") return changeList(event);
			if (!functions.current) return; // the server checks alone
			const {
				checkOrder,
				checkFormValues,
				completeValues,
				correctTyped,
				readOrderValues,
				saveRemembered,
				deleteRemembered,
				summariseErrors,
			} = functions.current;
			correctTyped(event.currentTarget, submitter, page.suggestions);
			const submitted = new FormData(event.currentTarget);
			const current = readOrderValues(submitted);
			const { common } = services;
			const only = orderable ? [{ company: orderable, service: common }] : [];
			const ordered = hasList ? listOrdered(page.lines, common, submitted) : only;
			const invalid: OrderErrors = {
				...(!hasList && checkOrder({ ...current, siren: orderable?.siren ?? current.siren }, ["service", "siren"])),
				...checkFormValues(current, ordered),
			};
			const isValid = Object.keys(invalid).length === 0;
			// of a list, the server reads the lines as they are typed, and says all that is wrong at once
			if (!hasList) {
				setErrors(invalid);
				setSummary(summariseErrors(invalid, services.ordered));
				if (!isValid) event.preventDefault();
			}
			if (!isValid) return setDoubtful(null);
			draft.save(); // for a customer who comes back with the back button
			if (submitted.has("remember")) saveRemembered(ordered.length > 0 ? completeValues(current, ordered) : current);
			else deleteRemembered();
		},
	};
}

/** Milliseconds from the last edit to the save, and for which the hint stays (docs/rules.md, R13). */
const saveDelay = 2000;
const hintDuration = 2000;

/**
 * Saves a draft of the form while it is filled in, and offers the draft of an earlier visit.
 * @param functions null until a field is used. @param isStored the shop stores this form (docs/rules.md, R215): it has no draft.
 * @returns `offered`: a draft to restore, or null; `saved`: whether to show the hint; `changed`: call it after each edit; `save`: saves
 * at once, before the page is left.
 */
function useDraft(
	form: RefObject<HTMLFormElement | null>,
	functions: RefObject<FormFunctions | null>,
	{ company: chosen, isStored }: { company: CompanyPreview | null; isStored: boolean },
) {
	const [offered, setOffered] = useState<Draft | null>(null);
	const [saved, setSaved] = useState(false);
	const timers = useRef<{ save?: number; hint?: number }>({});
	const company = useRef(chosen);
	company.current = chosen;

	useEffect(() => {
		if (!isStored) setOffered(loadDraft());
		const running = timers.current;
		return () => {
			window.clearTimeout(running.save);
			window.clearTimeout(running.hint);
		};
	}, [isStored]);

	const save = () => {
		window.clearTimeout(timers.current.save);
		if (isStored || !form.current || !functions.current) return;
		const { saveDraft, readOrderValues } = functions.current;
		const typed = new FormData(form.current);
		const reference = String(typed.get(lineFields(1).reference));
		if (!saveDraft(readOrderValues(typed), company.current, reference)) return;
		setSaved(true);
		window.clearTimeout(timers.current.hint);
		timers.current.hint = window.setTimeout(() => setSaved(false), hintDuration);
	};

	return {
		offered,
		saved,
		save,
		changed() {
			window.clearTimeout(timers.current.save);
			timers.current.save = window.setTimeout(save, saveDelay);
		},
		delete() {
			deleteDraft();
			setOffered(null);
		},
	};
}
