import { suggestedService } from "../../../catalogue/services.ts";
import type { CompanyPreview } from "../../../companies/company.ts";
import { button } from "../../../ui/button.tsx";
import type { FormPageData } from "../describe-form.server.ts";
import { PurchaseSummary } from "../lines/purchase-summary.tsx";
import { computeTotals, type Promises } from "../lines/totals.ts";
import { ChangeSelection, LineSummary } from "../order-summary.tsx";
import type { ChosenServices } from "../use-services.ts";
import { useFormAction } from "./use-form-action.ts";

export interface FormSummaryProps {
	page: FormPageData;
	services: ChosenServices;
	/** The company of a form without a list; null before it is chosen. */
	orderable: CompanyPreview | null;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
}

/** What is ordered, beside the fields. */
export function FormSummary({ page, services, orderable, fixed }: FormSummaryProps) {
	if (page.hasList) return <FormTotals services={services} promises={page.promises} anchor="resume" />;
	const service = services.common ?? suggestedService;
	return (
		<LineSummary order={{ company: orderable, service, deadline: page.deadlines[service] }}>
			{fixed && orderable && <ChangeSelection siren={orderable.siren} service={service} />}
		</LineSummary>
	);
}

interface FormTotalsProps {
	services: ChosenServices;
	promises: Promises;
	/** Where it stands on the page. */
	anchor: string;
}

/** What a list costs by now. Without JavaScript, a button asks the server for the total of what is chosen; the page comes back at it. */
export function FormTotals({ services, promises, anchor }: FormTotalsProps) {
	const formAction = useFormAction(anchor);
	return (
		<>
			<PurchaseSummary totals={computeTotals(services.ordered, promises)} live />
			<div className="hidden noscript:block">
				<button type="submit" form="commande" name="intent" value="update" formAction={formAction} className={button("secondary", "mt-3")}>
					Recalculer le total
				</button>
			</div>
		</>
	);
}
