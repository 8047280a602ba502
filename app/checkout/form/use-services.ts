import { type RefObject, startTransition, useEffect, useState } from "react";
import { parseServiceCode, type ServiceCode } from "../../catalogue/services.ts";
import { getOrderable } from "../../companies/company.ts";
import type { FormPageData } from "./describe-form.server.ts";
import type { CheckedLine } from "./lines/checked-line.ts";
import { lineFields } from "./lines/line-fields.ts";

/** The services that a form orders by now. */
export interface ChosenServices {
	/** Of the form, and of each line that has none of its own; null: not chosen yet. */
	common: ServiceCode | null;
	/** Of each line that can be ordered; of a form without a list, its own. */
	ordered: readonly (ServiceCode | null)[];
}

interface ServicesOptions {
	/** A form may suggest a service, for its customer to confirm; null: it asks. */
	suggested: ServiceCode | null;
	/** The fields are hydrated: a choice made before is read. */
	ready: boolean;
}

/**
 * What the lines of a list order. A line that asks which company is meant orders the one that is chosen.
 * @param common the service of lines without their own. @param typed the fields of the form; null: as its page was sent.
 */
export const listOrdered = (lines: readonly CheckedLine[], common: ServiceCode | null, typed: FormData | null) => {
	const seen = new Set<string>();
	return lines.flatMap(({ place, line, company, choices, problem }) => {
		const fields = lineFields(place);
		const ordered = getOrderable(problem ? (choices.find(({ siren }) => siren === typed?.get(fields.choice)) ?? null) : company);
		const [service, reference] = typed ? [typed.get(fields.service), typed.get(fields.reference)] : [line.service, line.reference];
		// the server does not order the same once more
		const key = JSON.stringify([ordered?.siren, service, reference]);
		if (!ordered || seen.has(key)) return [];
		seen.add(key);
		return [{ company: ordered, service: parseServiceCode(String(service)) ?? common }];
	});
};

/** Follows the services that are chosen in a form. */
export function useServices(
	form: RefObject<HTMLFormElement | null>,
	{ hasList, lines, values }: Pick<FormPageData, "hasList" | "lines" | "values">,
	{ suggested, ready }: ServicesOptions,
): ChosenServices {
	const toServices = (typed: FormData | null): ChosenServices => {
		const common = parseServiceCode(String(typed ? typed.get("service") : values.service)) ?? suggested;
		return { common, ordered: hasList ? listOrdered(lines, common, typed).map(({ service }) => service) : [common] };
	};
	const [chosen, setChosen] = useState(() => toServices(null));
	// biome-ignore lint/correctness/useExhaustiveDependencies: another content of the form is another form
	useEffect(() => {
		const fields = form.current;
		if (fields === null || !ready) return;
		const update = () => {
			const next = toServices(new FormData(fields));
			// parts that are not hydrated yet come first
			startTransition(() => setChosen((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next)));
		};
		update();
		fields.addEventListener("change", update);
		// after « back », the browser restores the choices after the scripts
		window.addEventListener("pageshow", update);
		return () => {
			fields.removeEventListener("change", update);
			window.removeEventListener("pageshow", update);
		};
	}, [form, ready]);
	return chosen;
}
