import { href } from "react-router";
import type { Deadlines } from "../../catalogue/deadlines.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import type { Company } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import type { CompanyNotice } from "../../companies/company-notices.ts";
import { button } from "../../ui/button.tsx";
import { KbisNeedLink } from "../../ui/kbis-need-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { SeveralLink } from "../../ui/several-link.tsx";
import { ServiceRows } from "./service-rows.tsx";

/** The id of the form, for a submit button outside of it. */
export const serviceFormId = "choix-service";

interface ServiceFormProps {
	siren: string;
	/** Of one that is not alive, nothing is recommended. */
	status: Company["status"];
	notices: readonly CompanyNotice[];
	/** The service in the page's query. */
	service: ServiceCode | null;
	/** The form was submitted without a choice, which is possible only without JavaScript. */
	missing: boolean;
	deadlines: Deadlines;
}

/**
 * The order card of a company's page: the services, each with its price and its hour, and the button to the order form. It is complete
 * from the server; entry.on-demand.ts lets the button wait for a choice.
 */
export function ServiceForm({ siren, status, notices, service, missing, deadlines }: ServiceFormProps) {
	return (
		<section id="service" aria-labelledby="service-titre" className="order-card scroll-mt-4">
			<h2 id="service-titre" className="text-xl">
				Choisissez votre service KBIS
			</h2>
			<CompanyNoticeList notices={notices} besideStatus className="mt-3 text-sm" />
			{missing && (
				<Notice kind="failed" live className="mt-3">
					<p id="choisir">Choisissez un service pour continuer.</p>
				</Notice>
			)}
			{/* without JavaScript, the company's page checks that a service is chosen, and answers at this card */}
			<form
				id={serviceFormId}
				data-order={href("/commande/:siren", { siren })}
				action={href("/entreprise/:siren", { siren })}
				className="mt-2 sm:mt-3"
			>
				<input type="hidden" name="choisir" value="1" />
				<ServiceRows chosen={service} deadlines={deadlines} recommends={status === "active"} error={missing ? "choisir" : undefined} />
				{serviceCodes.some((code) => deadlines[code].open) && (
					<button type="submit" className={button("primary", "mt-3 w-full")}>
						Continuer vers la commande
					</button>
				)}
			</form>
			<KbisNeedLink className="mt-3 text-sm" />
			<SeveralLink className="text-sm" />
			<PrivateService className="mt-3 text-xs!" />
		</section>
	);
}
