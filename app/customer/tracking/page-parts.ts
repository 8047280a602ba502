/** The parts of an order's page to which links and forms lead, by their ids. `letter` is a field, so that its folded form opens. */
export const pageParts = {
	cancel: "annuler",
	documents: "documents",
	letter: "deliveryName",
	refund: "remboursement",
	sharing: "partage",
} as const;

export type PagePart = (typeof pageParts)[keyof typeof pageParts];

/** Where a customer is led once their address is confirmed. `page`: of the order, of its purchase, or of this line of the purchase. */
interface Destination {
	page: "order" | "purchase" | number;
	part: PagePart | null;
}

/** The field in which the form writes it: « ensemble#documents », « ligne/3#partage ». */
export const destinationField = "vers";

export const formatDestination = ({ page, part }: Destination): string =>
	`${page === "order" ? "" : page === "purchase" ? "ensemble" : `ligne/${page}`}${part ? `#${part}` : ""}`;

/** Reads the field, which a browser may send as it likes: what names no page or no part leads to the order, or to its beginning. */
export function parseDestination(typed: string): Destination {
	const [page = "", id] = typed.split("#");
	const part = Object.values(pageParts).find((each) => each === id) ?? null;
	const [, line] = /^ligne\/(\d{1,3})$/.exec(page) ?? [];
	return { page: page === "ensemble" ? "purchase" : line === undefined ? "order" : Number(line), part };
}
