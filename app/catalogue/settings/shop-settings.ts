import { typedFromEntries } from "../../../server/types/objects.ts";
import { type ServiceCode, serviceCodes } from "../services.ts";

/** What the operator sets to protect the shop (docs/rules.md, R80 to R82). Instants are ISO texts, because settings are stored as JSON. */
export interface ShopSettings {
	/** Nothing can be ordered. Null: the shop is open. */
	closure: Closure | null;
	/** The express service cannot be ordered. `until` null: until it is resumed. */
	expressPause: { until: string | null } | null;
	/** ISO days on which nobody works, both included, in the order of their beginning. */
	daysOff: readonly DayRange[];
	/** The most orders paid within an hour, of all services and of each. Null: no limit. */
	capacity: Capacity;
	/** Extracts an opening hour that the desk can serve; the hours that the shop promises follow it (R280). Null: not known. */
	pace: number | null;
	/** Above one of these within an hour, refunds of late orders wait for a person. Null: no limit. */
	refundBrake: RefundBrake;
	/** Whether the shop reads the bulletin every day. Without it, no page promises a watch or alerts (docs/rules.md, R205). */
	bulletinReading: boolean;
	/** How the books are written for the accountant's software. Stored entries and the files of closed months do not depend on it. */
	books: BooksSettings;
}

export interface BooksSettings {
	/** What stands in the auxiliary account of customers' lines: the order, or nothing, so that all are in one collective account. */
	customers: "order" | "collective";
	/** The month in which the fiscal year begins: 1 to 12. */
	yearStart: number;
	/** The journal that stands beside the month's files, in the columns of a program or of the accountant's own. */
	layout: "none" | "sage100" | "own";
	/** Of their own layout: names of the FEC's fields, in order; `-` for an empty column. */
	ownColumns: readonly string[];
	/** How often sales to consumers are reported to the tax office: for ten days (« décade ») or for a month. */
	salesPeriod: "decade" | "month";
	/** The approved platform that transmits reports: its number and name. Null: none is prepared. */
	platform: { id: string; name: string } | null;
}

export interface Closure {
	/** Null: until it is reopened. */
	until: string | null;
	/** A public sentence; null: the pages' own. */
	sentence: string | null;
}

export interface DayRange {
	from: string;
	to: string;
}

export type Capacity = Record<"all" | ServiceCode, number | null>;

export interface RefundBrake {
	refunds: number | null;
	cents: number | null;
}

/** For the beginning of the fiscal year. */
export const monthNames = [
	...["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
] as const;

export type SettingName = keyof ShopSettings;

export const defaultSettings: ShopSettings = {
	closure: null,
	expressPause: null,
	daysOff: [],
	capacity: typedFromEntries((["all", ...serviceCodes] as const).map((name) => [name, null] as const)),
	pace: null,
	refundBrake: { refunds: null, cents: null },
	bulletinReading: false,
	books: { customers: "order", yearStart: 1, layout: "none", ownColumns: [], salesPeriod: "month", platform: null },
};

export const settingLabels: Record<SettingName, string> = {
	closure: "Boutique",
	expressPause: "KBIS Express",
	daysOff: "Jours de fermeture",
	capacity: "Commandes par heure",
	pace: "Rythme du bureau",
	refundBrake: "Remboursements automatiques",
	bulletinReading: "Relevé du BODACC",
	books: "Logiciel de comptabilité",
};

/** Whether a setting that ends at an instant is in force. */
export const isInForce = (setting: { until: string | null } | null, now: Date): boolean =>
	setting !== null && (setting.until === null || new Date(setting.until) > now);

/** Whether any limit of orders an hour is set. */
export const hasCapacity = ({ capacity }: Pick<ShopSettings, "capacity">): boolean =>
	Object.values(capacity).some((limit) => limit !== null);
