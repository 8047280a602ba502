import { expect, test } from "vitest";
import { typedFromEntries } from "../../server/types/objects.ts";
import type { Day, Month } from "../accounts/month.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import { partNames } from "../status/part.ts";
import { describeGaps } from "./availability-table.tsx";
import { type DeliveryCounts, findQuote, hasDeliveries, publishMonth, type RefundCount } from "./statistics.ts";
import { describeQuote, formatOtherRefunds, formatTime } from "./statistics-labels.ts";

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
	["express", 72, "1\u00a0h\u00a012"],
	["standard", 240, "4\u00a0h"],
	["standard", 1502, "25\u00a0h\u00a002"],
	["postal", 0, "0\u00a0jour ouvré"],
	["postal", 2, "2\u00a0jours ouvrés"],
] as const)("%s: %f is « %s »", (service, time, text) => {
	expect(formatTime(service, time)).toBe(text);
});
