import fc from "fast-check";
import { type ServiceCode, serviceCodes } from "../../app/catalogue/services.ts";

/** What happens to a purchase, or to one of its orders. A command that does not apply does nothing. */
export const commands = [
	"pay", // the session that is open
	"pay-late", // an expired session, or one of a cancelled order: the bank was late
	"pay-wrong", // another amount
	"expire",
	"resume",
	"extract-ready",
	"extract-not-found",
	"promise-passes",
	"cancel",
	"withdraw",
	"correct-invoice",
	"refund-part-elsewhere", // on the provider's own pages
	"refund-order-elsewhere", // its whole price
	"refund-rest-elsewhere",
	"refund-part", // by the operator
	"refund-rest",
	"dispute",
	"dispute-won",
	"dispute-lost",
	"bank-returns-refund", // one that had succeeded
] as const;
export type Command = (typeof commands)[number];

/** What happens between two commands. Without perturbations, every new event arrives once and every job runs. */
export type Perturbation =
	| { what: "deliver"; which: number; slow: boolean }
	| { what: "job"; which: number; slow: boolean }
	| { what: "slow answers arrive" | "customer returns" | "sweep" | "wake" | "reconcile" | "provider down" | "answer lost" | "jobs lost" };

export interface Scenario {
	/** The service of each order of the purchase. */
	services: readonly [ServiceCode, ...ServiceCode[]];
	waived: boolean;
	/** Whether the bank accepts refunds late. */
	slowRefunds: boolean;
	commands: Command[];
	/** Which order each command is about, modulo their number; missing: the first. */
	lines?: number[];
}

/** How the events of a scenario arrive. */
export interface Perturbations {
	/** After each command. */
	between: Perturbation[][];
	/** Positions of the events that never arrive; events of disputes always do. */
	lost: number[];
	/** Whether late events arrive newest first. */
	backwards: boolean;
}

const usualBeginnings: Command[][] = [
	["pay"],
	["pay"],
	["pay", "extract-ready"],
	["expire"],
	["expire", "resume", "pay"],
	["expire", "resume", "pay", "pay-late"],
	["cancel", "pay-late"],
	[],
];

const once = new Set<Command>(["promise-passes"]);

const chosenCommands = fc
	.tuple(fc.constantFrom(...usualBeginnings), fc.array(fc.constantFrom(...commands), { maxLength: 6 }))
	.map(([first, then]) => [...first, ...then].filter((command, at, all) => !once.has(command) || all.indexOf(command) === at));

const place = fc.nat(30);
const perturbation: fc.Arbitrary<Perturbation> = fc.oneof(
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

/** A scenario with the perturbations of several histories. */
export interface Histories {
	scenario: Scenario;
	perturbations: Perturbations[];
}

/** Half of the purchases have one order, as most do in reality. */
const drawServices = (mostOrders: number) =>
	fc
		.tuple(
			fc.constantFrom(...serviceCodes),
			fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...serviceCodes), { maxLength: mostOrders - 1, size: "max" })),
		)
		.map(([first, others]): Scenario["services"] => [first, ...others]);

/**
 * @param max highest number of histories per scenario, which runs only once without perturbations.
 * @param mostOrders highest number of orders of a purchase.
 */
export const drawHistories = (max: number, mostOrders = 1): fc.Arbitrary<Histories> =>
	chosenCommands.chain((chosen) =>
		fc.record({
			scenario: fc.record({
				services: drawServices(mostOrders),
				waived: fc.boolean(),
				slowRefunds: fc.boolean(),
				commands: fc.constant(chosen),
				lines: fc.array(fc.nat(mostOrders - 1), { minLength: chosen.length, maxLength: chosen.length }),
			}),
			perturbations: fc.array(
				fc.record({
					between: fc.array(fc.array(perturbation, { maxLength: 6 }), { minLength: chosen.length, maxLength: chosen.length }),
					lost: fc.uniqueArray(place, { maxLength: 4 }),
					backwards: fc.boolean(),
				}),
				{ minLength: 1, maxLength: max, size: "max" },
			),
		}),
	);
