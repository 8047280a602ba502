import type { ReactNode } from "react";
import { formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { formatExtractCount } from "../../orders/order.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Section } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import type { PaidLine, PaymentDetails } from "./describe-payment.server.ts";
import type { PaymentCustomer, Recipient } from "./payment-customer.ts";

interface OrderedLinesProps extends Pick<PaymentDetails, "lines" | "fold" | "notOrdered" | "noticeSource"> {
	/** The form with the same content. */
	editUrl: string;
}

/** What is ordered: one extract in full, several as a list. */
export function OrderedLines({ lines, fold, notOrdered, noticeSource, editUrl }: OrderedLinesProps) {
	const [first, ...others] = lines;
	const only = others.length === 0 ? first : undefined;
	return (
		<section className={only ? "border-t border-line pt-2 pb-4 sm:pb-10 lg:pt-4" : "border-t border-line pt-2 pb-10 lg:pt-4"}>
			<div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 sm:mb-3">
				<h2 className="text-xl max-sm:text-lg">{only ? "Votre commande" : `Votre commande de ${formatExtractCount(lines.length)}`}</h2>
				<a className="link inline-flex min-h-11 items-center max-sm:text-sm" href={editUrl}>
					Modifier ma commande
				</a>
			</div>
			{notOrdered && (
				<p className="mb-3 border-l-2 border-waiting pl-3">
					{notOrdered}{" "}
					<a className="link font-semibold" href={editUrl}>
						Revoir la liste
					</a>
				</p>
			)}
			{only ? <OnlyLine line={only} /> : <LineLists lines={lines} fold={fold} />}
			{noticeSource && <p className="pt-3 text-sm text-soft">Annonces publiées. {noticeSource}</p>}
		</section>
	);
}

/** On phones the labels of obvious values are for screen readers only. */
function OnlyLine({ line: { name, siren, headOffice, details, service } }: { line: PaidLine }) {
	const { name: serviceName, delivery, features } = services[service];
	return (
		<DescriptionList
			className="max-sm:divide-y-0 max-sm:border-0 max-sm:[&_dt]:sr-only max-sm:[&>div]:py-1"
			rows={[
				[
					"Entreprise",
					<NameWithDescription key="company" name={name}>
						SIREN <Siren value={siren} />
						{headOffice && ` · ${headOffice}`}
						{details && `\u00a0· ${details}`}
					</NameWithDescription>,
				],
				[
					"Service",
					<NameWithDescription key="service" name={serviceName}>
						{[delivery, ...features].join(" · ")}
					</NameWithDescription>,
				],
			]}
		/>
	);
}

/** A name with its description: below it, on phones after it. */
function NameWithDescription({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<strong>{name}</strong> <span className="text-sm text-soft sm:block">{children}</span>
		</>
	);
}

interface RecipientSectionProps {
	customer: PaymentCustomer;
	editUrl: string;
}

/** The e-mail address is large: a slip in it is found here, or not before the document is missing. */
export function RecipientSection({ customer: { sent, email, meant, rows }, editUrl }: RecipientSectionProps) {
	return (
		<Section title="Destinataire" className="max-sm:pt-4 max-sm:pb-5 max-sm:[&>h2]:sr-only">
			<p className="text-soft max-sm:text-sm">{sent}</p>
			{email && <p className="text-xl font-semibold break-words">{email}</p>}
			<EmailQuestion meant={meant.email} editUrl={`${editUrl}#email`} />
			{rows.length > 0 && (
				<DescriptionList
					className="mt-3 sm:mt-5"
					rows={rows.map(([label, recipient]) => [label, <RecipientLines key={label} {...recipient} />])}
				/>
			)}
			<EmailQuestion meant={meant.deliveryEmail} editUrl={`${editUrl}#deliveryEmail`} />
		</Section>
	);
}

function RecipientLines({ lines, arrival, note }: Recipient) {
	return (
		<>
			{lines.map((line) => (
				<p key={line}>{line}</p>
			))}
			{arrival && <p className="mt-1">{arrival}</p>}
			{note && <p className="mt-1 text-sm text-soft">{note}</p>}
		</>
	);
}

/** Asks about an address whose domain looks mistyped; never keeps the customer from paying. */
function EmailQuestion({ meant, editUrl }: { meant: string | undefined; editUrl: string }) {
	if (!meant) return null;
	return (
		<p className="mt-2 flex flex-wrap items-center gap-x-3 border-l-2 border-waiting pl-3">
			<span>
				Vouliez-vous dire <strong className="break-all">{meant.slice(meant.indexOf("@") + 1)}</strong>&nbsp;?
			</span>
			<a className="link inline-flex min-h-11 items-center font-semibold" href={editUrl}>
				Corriger<span className="sr-only"> l’adresse e-mail</span>
			</a>
		</p>
	);
}

/** Of a long list, the lines with something to read stand before the others, which are folded: the button is not far. */
function LineLists({ lines, fold }: Pick<OrderedLinesProps, "lines" | "fold">) {
	if (!fold) return <LineList lines={lines} />;
	return (
		<>
			{fold.from > 0 && <LineList lines={lines.slice(0, fold.from)} />}
			<details>
				<summary className="link inline-flex min-h-11 items-center">{fold.title}</summary>
				<LineList lines={lines.slice(fold.from)} />
			</details>
		</>
	);
}

function LineList({ lines }: { lines: readonly PaidLine[] }) {
	return (
		<ol className="divide-y divide-line border-y border-line">
			{lines.map(({ place, name, siren, details, service, notices }) => (
				<li key={place} className="py-2">
					<div className="flex items-baseline justify-between gap-4">
						<span className="min-w-0">
							<strong className="break-words">{name}</strong>{" "}
							<span className="text-sm text-soft max-sm:block">
								SIREN <Siren value={siren} />
								{details && `\u00a0· ${details}`}
							</span>
						</span>
						<span className="figures shrink-0 text-right text-sm">
							<span className="max-sm:block">{services[service].name}</span> {formatEuros(services[service].price)}
						</span>
					</div>
					{notices.map(({ title, text }) => (
						<p key={title} className="mt-1 border-l-2 border-waiting pl-3 text-sm">
							{title}. {text}
						</p>
					))}
				</li>
			))}
		</ol>
	);
}
