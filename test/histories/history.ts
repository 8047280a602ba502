import fc from "fast-check";
import { type ServiceCode, serviceCodes } from "../../app/catalogue/services.ts";

/** What the world does to an order, in this order. What does not apply when its turn comes does nothing. */
export const acts = [
	"pay", // the session that is open
	"pay-late", // a session that ran out, or whose order was cancelled: the bank was slower than the clock
	"pay-wrong", // not what was asked for
	"expire",
	"resume",
	"extract-ready",
	"extract-not-found",
	"promise-passes",
	"cancel",
	"withdraw",
	"refund-part-elsewhere", // on the provider's own pages
	"refund-rest-elsewhere",
	"refund-part", // by the operator
	"refund-rest",
	"dispute",
	"dispute-won",
	"dispute-lost",
	"bank-returns-refund", // one that had succeeded
] as const;
export type Act = (typeof acts)[number];

/** What happens between two acts. In the plain order of things: every new event arrives once, every job is done. */
export type Disturbance =
	| { what: "deliver"; which: number; slow: boolean }
	| { what: "job"; which: number; slow: boolean }
	| { what: "slow answers arrive" | "customer returns" | "sweep" | "wake" | "reconcile" | "provider down" | "answer lost" | "jobs lost" };

export interface Scenario {
	service: ServiceCode;
	waived: boolean;
	/** Whether the bank takes its time to take refunds. */
	slowRefunds: boolean;
	acts: Act[];
}

/** How the news of a scenario come. */
export interface Disturbed {
	/** After each act. */
	between: Disturbance[][];
	/** Which events never arrive, by their place; those of disputes always do. */
	lost: number[];
	/** Whether those that are late arrive newest first. */
	backwards: boolean;
}

const usual: Act[][] = [
	["pay"],
	["pay"],
	["pay", "extract-ready"],
	["expire"],
	["expire", "resume", "pay"],
	["expire", "resume", "pay", "pay-late"],
	["cancel", "pay-late"],
	[],
];

const once = new Set<Act>(["promise-passes"]);

const chosenActs = fc
	.tuple(fc.constantFrom(...usual), fc.array(fc.constantFrom(...acts), { maxLength: 6 }))
	.map(([first, then]) => [...first, ...then].filter((act, at, all) => !once.has(act) || all.indexOf(act) === at));

const place = fc.nat(30);
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ what: fc.constant("deliver" as const), which: place, slow: fc.boolean() }) },
	{ weight: 6, arbitrary: fc.record({ what: fc.constant("job" as const), which: place, slow: fc.boolean() }) },
	{
		weight: 5,
		arbitrary: fc.record({
			what: fc.constantFrom(
				"slow answers arrive" as const,
				...(["customer returns", "sweep", "wake", "reconcile", "provider down", "answer lost", "jobs lost"] as const),
			),
		}),
	},
);

/** What happens to an order, and some ways in which the news of it come. */
export interface Histories {
	scenario: Scenario;
	disturbed: Disturbed[];
}

/** @param ways how many histories share a scenario, at most: it is played undisturbed but once. */
export const histories = (ways: number): fc.Arbitrary<Histories> =>
	chosenActs.chain((chosen) =>
		fc.record({
			scenario: fc.record({
				service: fc.constantFrom(...serviceCodes),
				waived: fc.boolean(),
				slowRefunds: fc.boolean(),
				acts: fc.constant(chosen),
			}),
			disturbed: fc.array(
				fc.record({
					between: fc.array(fc.array(disturbance, { maxLength: 6 }), { minLength: chosen.length, maxLength: chosen.length }),
					lost: fc.uniqueArray(place, { maxLength: 4 }),
					backwards: fc.boolean(),
				}),
				{ minLength: 1, maxLength: ways, size: "max" },
			),
		}),
	);
