import { type RefObject, startTransition, useEffect, useState } from "react";
import { parseServiceCode, type ServiceCode } from "../../catalogue/services.ts";
import type { FormPageData } from "./describe-form.server.ts";
import { isOrderable, type OrderableLine } from "./lines/checked-line.ts";
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

/** Follows the services that are chosen in a form. */
export function useServices(
	form: RefObject<HTMLFormElement | null>,
	{ hasList, lines, values }: Pick<FormPageData, "hasList" | "lines" | "values">,
	{ suggested, ready }: ServicesOptions,
): ChosenServices {
	const toServices = (typed: string, getOwn: (line: OrderableLine) => string): ChosenServices => {
		const common = parseServiceCode(typed) ?? suggested;
		if (!hasList) return { common, ordered: [common] };
		return { common, ordered: lines.filter(isOrderable).map((line) => parseServiceCode(getOwn(line)) ?? common) };
	};
	const [chosen, setChosen] = useState(() => toServices(values.service, ({ line }) => line.service));
	// biome-ignore lint/correctness/useExhaustiveDependencies: another content of the form is another form
	useEffect(() => {
		const fields = form.current;
		if (fields === null || !ready) return;
		const update = () => {
			const typed = new FormData(fields);
			const next = toServices(String(typed.get("service")), ({ place }) => String(typed.get(lineFields(place).service)));
			// parts that are not hydrated yet come first
			startTransition(() => setChosen((before) => (isSame(before, next) ? before : next)));
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

const isSame = (one: ChosenServices, other: ChosenServices): boolean =>
	one.common === other.common && one.ordered.every((service, index) => service === other.ordered[index]);
