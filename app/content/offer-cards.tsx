import { type ReactNode, useId } from "react";
import { href } from "react-router";
import { type Deadline, type Deadlines, describeDeadline, describeDelivery } from "../catalogue/deadlines.ts";
import { formatEuros, splitVat } from "../catalogue/money.ts";
import type { PromiseWeek } from "../catalogue/promise-week.ts";
import { type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { button } from "../ui/button.tsx";
import { Card, Tag } from "../ui/card.tsx";
import { createGuillochePath } from "../ui/drawings/guilloche-path.ts";
import { setFrenchSpaces } from "../ui/french-spaces.ts";
import { Icon } from "../ui/icon.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { PromiseBand } from "../ui/promise-band.tsx";
import type { Highlight } from "./claims.ts";
import { PromisedHour } from "./promised-hour.tsx";

interface OfferCardsProps {
	/** The label on the recommended service. */
	highlight: Highlight;
	/** The promise of each service for a payment now. */
	deadlines: Deadlines;
}

/** Cards of the three services, beside each other where they fit. */
export function OfferCards({ highlight, deadlines }: OfferCardsProps) {
	return (
		<div className="@container">
			<div className="grid gap-5 @min-[46rem]:grid-cols-3">
				{serviceCodes.map((code) => {
					const { name, description, timeline, price, features, recommended } = services[code];
					return (
						<Offer
							key={code}
							name={name}
							tag={recommended && <HighlightTags {...highlight} />}
							price={formatEuros(price)}
							terms="TTC, en une fois"
							description={description}
							delivery={formatDelivery(timeline)}
							deadline={describeDeadline(code, deadlines[code])}
							features={features}
						>
							{deadlines[code].open && (
								<a href={`${href("/commande")}?service=${code}`} className={button(recommended ? "primary" : "secondary", "w-full")}>
									Choisir ce service<span className="sr-only">&nbsp;: {name}</span>
								</a>
							)}
						</Offer>
					);
				})}
			</div>
		</div>
	);
}

/** The announced subscription, which is not sold yet: its name, its price and a way to hear of it. */
export function SubscriptionSentence() {
	const { availability, name, firstPrice, monthlyPrice } = subscription;
	return (
		<>
			{availability}&nbsp;: {name}, {setFrenchSpaces(`${formatEuros(firstPrice)} puis ${formatEuros(monthlyPrice)} par mois.`)} Démarrer
			l'abonnement&nbsp;:{" "}
			<a href={href("/abonnement")} className="link">
				me prévenir de l’ouverture
			</a>
		</>
	);
}

interface OfferProps {
	name: string;
	tag: ReactNode;
	price: string;
	terms: string;
	description: string;
	/** The delivery time: « sous 24 h ». */
	delivery: string;
	/** The promise for a payment now, as a sentence; undefined if it cannot be ordered yet. */
	deadline?: string;
	features: readonly string[];
	children: ReactNode;
}

function Offer({ name, tag, price, terms, description, delivery, deadline, features, children }: OfferProps) {
	return (
		// on a phone the price stands beside the name
		<Card className="row-span-6 flex flex-wrap items-baseline justify-between gap-x-4 sm:grid sm:grid-rows-subgrid sm:items-stretch sm:gap-y-0">
			<p className="flex w-full items-center gap-2 sm:pb-4">
				<Guilloche className={`h-6 min-w-0 flex-1 max-sm:hidden ${tag ? "text-accent" : "text-line"}`} />
				{tag}
			</p>
			<h3 className="text-lg">{name}</h3>
			<p className="figures sm:pt-3">
				<span className="font-serif text-lg font-medium sm:block sm:text-2xl">{price}</span>
				<span className="text-sm text-soft max-sm:hidden">{terms}</span>
			</p>
			<p className="w-full text-sm text-soft sm:pt-3 sm:pb-4">{description}</p>
			<Features features={features} delivery={delivery} deadline={deadline} className="w-full py-3 sm:border-t sm:border-line" />
			<p className="w-full self-end">{children}</p>
		</Card>
	);
}

/** The panel of a service page: the price, the hour of a payment now, the order button. */
export function ServicePanel({ code, week, deadline }: { code: ServiceCode; week: PromiseWeek; deadline: Deadline }) {
	const { name, timeline, price, features } = services[code];
	return (
		<section aria-label={`Commander un ${name}`} className="rounded-lg border border-line bg-sheet p-5 sm:p-6 print:hidden">
			<Guilloche className="mb-5 h-6 text-accent" />
			<p className="flex flex-wrap items-baseline gap-x-4">
				<span className="figures font-serif text-2xl font-medium">{formatEuros(price)}</span>
				<span className="figures text-sm text-soft">{`TTC, en une fois (${formatEuros(splitVat(price).ht)} HT)`}</span>
			</p>
			<div className="mt-4 border-t border-line pt-4">
				{deadline.open ? (
					<>
						<PromisedHour service={code} promise={week.promise} compact />
						<PromiseBand {...week} className="mt-3" />
					</>
				) : (
					<p className="font-serif text-lg font-medium">{setFrenchSpaces(describeDelivery(code, deadline))}</p>
				)}
			</div>
			<Features features={features} delivery={formatDelivery(timeline)} className="mt-4 border-t border-line pt-4" />
			<p className="mt-5">
				{deadline.open ? (
					<a href={`${href("/commande")}?service=${code}`} className={button("primary", "w-full px-4")}>
						{`Commander un ${name}`}
						<Icon name="arrow" className="size-4.5" />
					</a>
				) : (
					<a href={href("/tarifs")} className={button("secondary", "w-full px-4")}>
						Voir les autres services
					</a>
				)}
			</p>
			<PrivateService className="mt-4" />
		</section>
	);
}

function HighlightTags({ label, example }: Highlight) {
	return (
		<>
			<Tag look="accent">{label}</Tag> {example && <Tag>Exemple</Tag>}
		</>
	);
}

const formatDelivery = (timeline: string) => setFrenchSpaces(`Livraison sous ${timeline}`);

interface FeaturesProps {
	features: readonly string[];
	delivery: string;
	/** Undefined if it cannot be ordered yet. */
	deadline?: string;
	className: string;
}

function Features({ features, delivery, deadline, className }: FeaturesProps) {
	return (
		<ul className={`flex flex-col gap-2 text-sm ${className}`}>
			<li className="flex gap-2">
				<Icon name="clock" className="mt-0.5 size-4.5 text-accent" />
				<span>
					<span className="block font-semibold">{delivery}</span>
					{deadline && <span className="block">{setFrenchSpaces(deadline)}</span>}
				</span>
			</li>
			{features.map((feature) => (
				<li key={feature} className="flex gap-2 in-[article]:max-sm:hidden">
					<Icon name="check" className="mt-0.5 size-4.5 text-accent" />
					{feature}
				</li>
			))}
		</ul>
	);
}

const tile = { period: 48, height: 24 };
/** One period more than the tile shows, because the second braid begins a quarter early. */
const path = createGuillochePath({ ...tile, periods: 2 });

/** A band of guilloche: the texture of the head of a document. Never behind text. @param className its height and colour. */
function Guilloche({ className = "h-6 text-line" }: { className?: string }) {
	const id = useId();
	return (
		<svg width="100%" className={`block ${className}`} aria-hidden="true">
			<pattern id={id} width={tile.period} height={tile.height} patternUnits="userSpaceOnUse">
				<path d={path} fill="none" stroke="currentColor" strokeWidth="0.6" />
			</pattern>
			<rect width="100%" height="100%" fill={`url(#${id})`} />
		</svg>
	);
}
