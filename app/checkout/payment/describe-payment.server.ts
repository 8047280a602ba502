import { type Deadlines, formatDeadlines } from "../../catalogue/deadlines.ts";
import { formatDeadline, inParis } from "../../catalogue/instants.ts";
import { offerLines } from "../../catalogue/offers.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import type { Sales } from "../../catalogue/settings/sales.ts";
import { describeRefusal } from "../../catalogue/settings/sales-sentences.ts";
import { findOtherName } from "../../companies/billed-name.server.ts";
import { formatHeadOffice } from "../../companies/company.ts";
import type { CompanyNotice } from "../../companies/company-notices.ts";
import { formatExtractCount } from "../../orders/order.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import { suggestEmails } from "../form/form-buttons.server.ts";
import { addPublishedNotices } from "../form/lines/add-published-notices.server.ts";
import { checkForm } from "../form/lines/check-lines.server.ts";
import { type CheckedLine, isOrdered, type OrderedLine } from "../form/lines/checked-line.ts";
import { mostOpenLines } from "../form/lines/group-lines.ts";
import { chooseService, describeNotOrdered, describeProblem, repeatDoubts } from "../form/lines/line-sentences.ts";
import { computeTotals, listPromises, type PurchaseTotals } from "../form/lines/totals.ts";
import type { OrderForm } from "../form/order-forms.server.ts";
import { describeCustomer, describeSent, type PaymentCustomer } from "./payment-customer.ts";

/** A line on the payment page. */
export interface PaidLine {
	place: number;
	name: string;
	siren: string;
	/** Its address; empty when it is not public. */
	headOffice: string;
	/** The customer's reference, and the hour where the lines of a service have several. */
	details: string;
	service: ServiceCode;
	/** What the customer should know before paying. */
	notices: CompanyNotice[];
}

export interface PaymentDetails {
	customer: PaymentCustomer;
	/** Whose SIREN stands beside the invoiced name, where it is another company's; null without a doubt. */
	otherName: string | null;
	lines: PaidLine[];
	/** Of a long list: the lines from this place are folded, behind this title. */
	fold: { from: number; title: string } | null;
	/** The sentence that names the source of the notices of several companies; null without any. */
	noticeSource: string | null;
	/** « 11 lignes de votre liste ne sont pas commandées. »; null where all lines are. */
	notOrdered: string | null;
	/** The title, and the sentences, of lines that can no longer be ordered: nothing can be paid before the form is changed. Empty without any. */
	lost: string[];
	/** The company of the only line has no extract; its notices say why. */
	noExtract: boolean;
	totals: PurchaseTotals;
	/** Of each service, if the customer pays now. */
	deadlines: Deadlines;
	/** Why a service cannot be ordered now. */
	closed: string | null;
	/** A service can be ordered now. */
	hasOther: boolean;
}

/** Reads what a form has to pay. @param form as the browser may see it. @param isMasked it may not see who ordered. */
export async function describePayment(
	shop: Pick<PaymentShop, "db" | "now"> & { readSales: () => Promise<Sales> },
	form: OrderForm,
	isMasked: boolean,
): Promise<PaymentDetails> {
	const [{ values, lines, ordered }, sales] = await Promise.all([checkForm(shop, form), shop.readSales()]);
	const now = shop.now();
	const services = ordered.map(({ service }) => service);
	const [first] = lines;
	const noExtract = lines.length === 1 && first?.problem?.code === "no-extract";
	const told = await addPublishedNotices(shop.db, noExtract ? lines : ordered, now);
	const closed = services.find((service) => service in sales.closed);
	const hours = describeHours(ordered, now, sales);
	const promises = listPromises(now, sales, services.length);
	// the letters of a purchase come after its other lines
	const postedBy =
		"postal" in sales.closed ? undefined : offerLines(services, now, sales).findLast((_, index) => services[index] === "postal");
	return {
		otherName: isMasked ? null : await findOtherName(shop.db, values),
		customer: describeCustomer(values, describeSent(services), {
			meant: suggestEmails(values),
			postedBy: postedBy?.at ?? null,
			isMasked,
		}),
		...foldLines(
			told.lines.flatMap(({ place, company, line, service, remarks }) => {
				if (company === null || service === null) return [];
				const { siren, name } = company;
				const notices = [...company.notices, ...repeatDoubts(remarks)];
				return {
					place,
					siren,
					name,
					headOffice: formatHeadOffice(company),
					details: [line.reference, hours.get(place)].filter(Boolean).join("\u00a0· "),
					service,
					notices,
				};
			}),
		),
		noticeSource: told.noticeSource,
		notOrdered: describeNotOrdered(form.lines.filter(({ siren }) => siren === null).length),
		lost: noExtract ? [] : describeLost(lines.filter((line) => !isOrdered(line))),
		noExtract,
		totals: computeTotals(services, promises),
		deadlines: formatDeadlines(now, sales),
		closed: closed ? describeRefusal(closed, { ...sales, now }) : null,
		hasOther: isAnyOpen(sales),
	};
}

/** « mardi 24 novembre avant 14 h 30 », by the place of the line; empty where all lines of a service have the same hour. */
function describeHours(ordered: readonly OrderedLine[], now: Date, sales: Sales): Map<number, string> {
	const services = ordered.map(({ service }) => service);
	const lines = offerLines(services, now, sales).map(({ at }, index) => ({
		at,
		place: ordered[index]?.place ?? 0,
		service: services[index],
	}));
	const isVaried = [...Map.groupBy(lines, ({ service }) => service).values()].some(
		(ofService) => new Set(ofService.map(({ at }) => at.getTime())).size > 1,
	);
	return new Map(isVaried ? lines.map(({ at, place }) => [place, formatDeadline(at).replace(inParis, "")]) : []);
}

export const isAnyOpen = ({ closed }: Sales): boolean => serviceCodes.some((code) => !(code in closed));

/** Folds the lines of a long list that have nothing to read, after those that have. */
function foldLines(lines: PaidLine[]): Pick<PaymentDetails, "lines" | "fold"> {
	const [read, others] = [lines.filter(({ notices }) => notices.length > 0), lines.filter(({ notices }) => notices.length === 0)];
	if (lines.length <= mostOpenLines || others.length === 0) return { lines, fold: null };
	const title = `${read.length > 0 ? "Sans remarque\u00a0: " : "Voir les "}${formatExtractCount(others.length)}`;
	return { lines: [...read, ...others], fold: { from: read.length, title } };
}

/** @returns the title, and what is said below it; empty without lines. */
export function describeLost(lines: readonly CheckedLine[]): string[] {
	if (lines.length === 0) return [];
	return [
		lines.length === 1 ? "Une ligne ne peut plus être commandée." : `${lines.length} lignes ne peuvent plus être commandées.`,
		...lines.map(describeLostLine),
		"Rien n’a été débité, et votre saisie est conservée. Modifiez votre commande pour continuer.",
	];
}

/** « Ligne 3, DANONE : … » */
function describeLostLine({ place, company, line, problem }: CheckedLine): string {
	const name = company?.name ?? line.company;
	return `Ligne ${place}, ${name}\u00a0: ${problem ? describeProblem(problem) : chooseService}`;
}
