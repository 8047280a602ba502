import { href } from "react-router";
import { type Deadline, type Deadlines, describeDeadline } from "../../catalogue/deadlines.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import type { Company } from "../../companies/company.ts";
import { CompanyNoticeList } from "../../companies/company-notice-list.tsx";
import type { CompanyNotice } from "../../companies/company-notices.ts";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { KbisNeedLink } from "../../ui/kbis-need-link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { SeveralLink } from "../../ui/several-link.tsx";

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
				<fieldset
					aria-describedby={missing ? "choisir" : undefined}
					className="divide-y divide-line overflow-hidden rounded-lg border border-edge bg-sheet"
				>
					<legend className="sr-only">Service</legend>
					{serviceCodes.map((code) => (
						<ServiceRow key={code} code={code} deadline={deadlines[code]} chosen={code === service} recommends={status === "active"} />
					))}
				</fieldset>
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

interface ServiceRowProps {
	code: ServiceCode;
	deadline: Deadline;
	chosen: boolean;
	/** Whether the recommended service is marked. */
	recommends: boolean;
}

/** A service as a radio button: the whole row is its click target. On narrow screens, its contents unfold with the choice. */
function ServiceRow({ code, deadline, chosen, recommends }: ServiceRowProps) {
	const { name, price, description, features, timeline, recommended } = services[code];
	return (
		<label className="flex cursor-pointer has-disabled:cursor-not-allowed gap-3 px-4 py-3 max-sm:py-2 transition-colors hover:bg-shade has-checked:bg-shade has-checked:chosen has-focus-visible:chosen">
			<input
				type="radio"
				name="service"
				id={`service-${code}`}
				value={code}
				defaultChecked={chosen && deadline.open}
				disabled={!deadline.open}
				className="radio mt-1 outline-none"
			/>
			<span className="min-w-0 flex-1 text-sm">
				<span className="flex flex-wrap items-baseline gap-x-2 text-base">
					<span className="font-serif text-lg leading-snug font-medium">{name}</span>
					{recommends && recommended && deadline.open && <span className="text-xs font-semibold text-accent">Recommandé</span>}
					<span className="figures ml-auto font-semibold">{formatEuros(price)}</span>
				</span>
				<span className="block">
					<span className="sm:font-semibold">{setFrenchSpaces(`Livraison sous ${timeline}`)}</span>
					<span className={`block ${deadline.open ? "text-soft" : "font-semibold"}`}>
						{setFrenchSpaces(describeDeadline(code, deadline))}
					</span>
				</span>
				<span className="mt-1 hidden text-soft [label:has(:checked)_&]:block lg:block">
					{description} <span className="block">{features.join(" · ")}</span>
				</span>
			</span>
		</label>
	);
}
