import { describe, expect, test } from "vitest";
import { typedFromEntries } from "../../../server/types/objects.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { lastDays, type ProbeDay } from "../../web/status/availability.ts";
import { partNames } from "../../web/status/part.ts";
import type { Day, Month } from "../month.ts";
import { sumUpMonths } from "./month-availability.ts";
import { type DeliveryCounts, findQuote, hasDeliveries, publishMonth, type RefundCount } from "./statistics.ts";
import { writeStatistics } from "./statistics-file.ts";
import { describeQuote, formatOtherRefunds, formatTime } from "./statistics-labels.ts";
import { createAllTable, createServiceTable, describeGaps } from "./statistics-tables.tsx";

const october = "2026-10" as Month;

/** A month of orders. @param kept by default all delivered ones. */
function publish(
	delivered: Partial<Record<ServiceCode, number>>,
	{ month = october, isCurrent = false, kept = delivered, due = delivered, refunds = [] as Omit<RefundCount, "month">[] } = {},
) {
	const deliveries = Object.entries(delivered).map(([code, count]): DeliveryCounts => {
		const service = code as ServiceCode;
		return { month, service, delivered: count, due: due[service] ?? 0, kept: kept[service] ?? 0, median: 61.5, p95: 110 };
	});
	const dated = refunds.map((refund) => ({ ...refund, month }));
	return publishMonth({ month, isCurrent, deliveries, refunds: dated, availability: null });
}

test("a group of nineteen has no figure at all, a group of twenty has all", () => {
	const { services } = publish({ express: 20, standard: 19 });
	expect(services.express).toMatchObject({ delivered: 20, kept: 20, share: 100, median: 61.5, p95: 110 });
	const hidden = { delivered: "few", kept: "few", share: null, median: null, p95: null };
	expect(services.standard).toMatchObject(hidden);
	expect(services.postal).toMatchObject(hidden);
});

test("the share is of the due orders and rounded down; it is hidden with its count", () => {
	expect(publish({ express: 1998 }, { kept: { express: 1997 }, due: { express: 2000 } }).services.express.share).toBe(99.8);
	expect(publish({ express: 25 }, { kept: { express: 19 } }).services.express).toMatchObject({ delivered: 25, kept: "few", share: null });
});

test("the sum is of all services, or of the published ones when all would give away a hidden one", () => {
	expect(publish({ standard: 200, express: 1000, postal: 40 }).all).toEqual({
		...{ delivered: 1240, kept: 1240, share: 100 },
		services: ["standard", "express", "postal"],
	});
	expect(publish({ standard: 200, express: 1000, postal: 5 }).all).toMatchObject({ delivered: 1200, services: ["standard", "express"] });
	expect(publish({ standard: 10, express: 9, postal: 1 }).all).toMatchObject({ delivered: 20, kept: 20, share: 100 });
	expect(publish({ standard: 9, express: 9, postal: 1 }).all).toEqual({ delivered: "few", kept: "few", share: null, services: [] });
	// the sum of two small services is published, the promises that they kept are not
	expect(publish({ standard: 10, express: 9, postal: 1 }, { kept: { standard: 9, express: 9, postal: 1 } }).all).toEqual({
		...{ delivered: 20, kept: "few", share: null },
		services: ["standard", "express", "postal"],
	});
	// the small service would follow from all deliveries, though not from all kept promises
	expect(
		publish({ standard: 25, express: 1000, postal: 19 }, { kept: { standard: 10, express: 1000, postal: 15 }, due: { express: 1000 } }).all,
	).toEqual({ delivered: 1025, kept: "withheld", share: null, services: ["standard", "express"] });
	// the kept promises of the two small services would follow
	expect(publish({ standard: 12, express: 1000, postal: 15 }, { kept: { standard: 3, express: 990, postal: 4 } }).all).toMatchObject({
		...{ delivered: 1000, kept: 990, services: ["express"] },
	});
	expect(publish({ standard: 30, express: 1000 }, { kept: { standard: 3, express: 990 } }).all).toMatchObject({
		...{ delivered: 1030, kept: "withheld", share: null },
	});
});

test("no hidden count of a service follows from what is published of a month", () => {
	const services = ["standard", "express", "postal"] as const;
	const limit = 23;
	const possible = new Map<string, Set<number>[]>();
	for (let tried = 0; tried < limit ** 3; tried++) {
		const counts = [tried % limit, Math.floor(tried / limit) % limit, Math.floor(tried / limit ** 2)];
		const seen = JSON.stringify(publish({ standard: counts[0], express: counts[1], postal: counts[2] }));
		const sets = possible.get(seen) ?? counts.map(() => new Set<number>());
		counts.forEach((count, index) => void sets[index]?.add(count));
		possible.set(seen, sets);
	}
	for (const [seen, sets] of possible)
		for (const [index, set] of sets.entries())
			if ([...set].some((count) => count < 20)) expect(set.size, `${services[index]}: ${seen}`).toBeGreaterThan(1);
});

test("refunds have their motive, and a motive with few refunds is not counted", () => {
	const refunds = (
		[
			["late", null, 20],
			["operator", "late", 2],
			["withdrawal", null, 21],
			["guarantee", null, 10],
			["operator", "wrong-extract", 9],
		] as const
	).map(([reason, cause, count]) => ({ service: "express" as const, reason, cause, count }));
	const { express, standard } = publish({ express: 30 }, { refunds }).services;
	expect(express.refunds).toMatchObject({ late: 22, other: "withheld", motives: { withdrawal: 21, wrong: "few", other: "few" } });
	expect(formatOtherRefunds(express.refunds)).toBe("rétractation 21, autres motifs moins de 20 chacun");
	expect(formatOtherRefunds({ ...express.refunds, other: 40 })).toBe("40, dont rétractation 21");
	expect(standard.refunds).toMatchObject({ late: "few", other: "few" });
	expect(formatOtherRefunds(standard.refunds)).toBe("moins de 20");
});

test("the quote is of the last finished month with enough deliveries", () => {
	const august = publish({ express: 100 }, { month: "2026-08" as Month, kept: { express: 99 } });
	const small = publish({ express: 19 }, { month: "2026-09" as Month });
	const current = publish({ express: 500 }, { month: october, isCurrent: true });
	const quote = findQuote({ months: [august, small, current] });
	expect(quote).toEqual({ month: "2026-08", share: 99, delivered: 100, services: ["express"] });
	expect(quote && describeQuote(quote)).toEqual({
		share: "99\u00a0%",
		month: "août 2026",
		base: "100\u00a0commandes livrées, KBIS Express",
	});
	expect(findQuote({ months: [small, current] })).toBeNull();
	const whole = findQuote({ months: [publish({ standard: 200, express: 1000, postal: 40 })] });
	expect(whole && describeQuote(whole).base).toBe("1\u00a0240\u00a0commandes livrées");
});

test("a bad month is not passed over for a better one", () => {
	const good = publish({ express: 100 }, { month: "2026-09" as Month });
	const bad = publish({ express: 100 }, { kept: { express: 15 } });
	expect(findQuote({ months: [good, bad] })).toBeNull();
});

test("figures exist from the first published count on", () => {
	expect(hasDeliveries(publish({ express: 19 }))).toBe(false);
	expect(hasDeliveries(publish({ express: 20 }))).toBe(true);
	expect(hasDeliveries(publish({ express: 10, standard: 10 }))).toBe(true);
});

test.each([
	["2026-10-01", 0, null],
	["2026-10-01", 1, "octobre 2026\u00a0: 1\u00a0contrôle n’a pas eu lieu."],
	["2026-10-28", 1200, "octobre 2026\u00a0: mesures conservées depuis le 28 octobre 2026, 1\u00a0200\u00a0contrôles n’ont pas eu lieu."],
])("probes from %s with %i missing ones have the note « %s »", (firstDay, missing, note) => {
	const parts = typedFromEntries(
		partNames.map((part) => [part, { checks: 30, failed: 0, missing: part === "mail" ? missing : 0 }] as const),
	);
	expect(describeGaps({ month: october, availability: { firstDay: firstDay as Day, parts } })).toBe(note);
});

test.each([
	["express", 47.4, "47\u00a0min"],
	["express", 59.6, "1\u00a0h"],
	["express", 72, "1\u00a0h\u00a012"],
	["standard", 240, "4\u00a0h"],
	["standard", 1502, "25\u00a0h\u00a002"],
	["postal", 0, "0\u00a0jour ouvré"],
	["postal", 1, "1\u00a0jour ouvré"],
	["postal", 2, "2\u00a0jours ouvrés"],
] as const)("%s: %f is « %s »", (service, time, text) => {
	expect(formatTime(service, time)).toBe(text);
});

describe("the availability by month", () => {
	const now = new Date("2026-11-02T10:00:00Z");
	const days = lastDays(now, 4);
	const rows: ProbeDay[] = partNames.flatMap((part, index) => [
		{ part, day: "2026-10-31", checks: 100, failed: index },
		{ part, day: "2026-11-01", checks: 200, failed: 2 * index },
		{ part, day: "2026-11-02", checks: 10, failed: 0 },
	]);
	const sumUp = (first: string | null) => {
		const months = sumUpMonths(rows, days, { first: first ? new Date(first) : null, last: now }, now);
		return [...months].map(([month, { firstDay, parts }]) => [
			month,
			firstDay,
			parts.search.checks,
			parts.search.failed,
			parts.mail.failed,
		]);
	};

	test("sums up each part from the first measured day on", () => {
		expect(sumUp("2026-10-31T10:00:00Z")).toEqual([
			["2026-10", "2026-10-31", 100, 1, 5],
			["2026-11", "2026-11-01", 210, 2, 10],
		]);
	});

	test("leaves out the day that ends when the first probe is due", () => {
		expect(sumUp("2026-10-31T23:00:00Z").map(([month]) => month)).toEqual(["2026-11"]);
	});

	test("has no month before the first probe", () => {
		expect(sumUp(null)).toEqual([]);
	});
});

/** Counts of failed probes by part, of a thousand or the given number. */
const availability = (failed: readonly number[], checks = 1000) => ({
	firstDay: "2026-06-01" as Day,
	parts: typedFromEntries(partNames.map((part, index) => [part, { checks, failed: failed[index] ?? 0, missing: 0 }] as const)),
});

// a change of these texts is agreed first, then written to the file: npx vitest run app/books/statistics/statistics.test -u
test("the file and the tables have the figures word for word as in the stored file", async () => {
	const refunds = (
		[
			["late", null, 21],
			["cancelled", null, 22],
			["failed", null, 23],
			["guarantee", null, 24],
			["withdrawal", null, 25],
			["surplus", null, 26],
			["dashboard", null, 27],
		] as const
	).map(([reason, cause, count]) => ({ service: "express" as const, reason, cause, count }));
	const withdrawals = [{ service: "standard" as const, reason: "withdrawal" as const, cause: null, count: 28 }];
	const hiddenShare = { kept: { standard: 12, express: 1300, postal: 30 }, due: { standard: 40, express: 1400, postal: 40 } };
	const months = [
		publish({}, { month: "2026-01" as Month }),
		publish({}, { month: "2026-02" as Month }),
		publish({ standard: 10, express: 9, postal: 1 }, { month: "2026-03" as Month }),
		publish({ standard: 40, express: 1400, postal: 40 }, { month: "2026-04" as Month, ...hiddenShare }),
		// the same figures as the month before: not merged, because they are figures
		publish({ standard: 40, express: 1400, postal: 40 }, { month: "2026-05" as Month, ...hiddenShare }),
		{ ...publish({ express: 5 }, { month: "2026-06" as Month, refunds: withdrawals }), availability: availability([3], 19) },
		{ ...publish({ standard: 19, express: 19, postal: 19 }, { month: "2026-07" as Month }), availability: availability([1, 2], 20) },
		{
			...publish({ standard: 25, express: 1998, postal: 7 }, { month: "2026-08" as Month, kept: { standard: 25, express: 1997 }, refunds }),
			availability: availability([1, 2, 3, 4, 5, 6], 30_001),
		},
		publish({}, { month: "2026-09" as Month }),
		publish({ express: 1 }, { month: october, isCurrent: true }),
	];
	const tables = [createAllTable(months), ...serviceCodes.map((code) => createServiceTable(code, months))];
	const texts = [
		new TextDecoder().decode(writeStatistics({ at: new Date("2026-10-20T10:00:00Z"), months })).replaceAll("\r\n", "\n"),
		...tables.map(({ caption, columns, rows }) => [`=== ${caption}`, ...[columns, ...rows].map((row) => row.join(" | "))].join("\n")),
	];
	await expect(`${texts.join("\n\n")}\n`.replaceAll("\u00a0", " ")).toMatchFileSnapshot("statistics.txt");
});
