import fc from "fast-check";
import { type ServiceCode, serviceCodes } from "../../app/catalogue/services.ts";

/** What the world does to an order, in this order. What does not apply when its turn comes does nothing. */
export const commands = [
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
export type Command = (typeof commands)[number];

/** What happens between two commands. In the plain order of things: every new event arrives once, every job is done. */
export type Perturbation =
	| { what: "deliver"; which: number; slow: boolean }
	| { what: "job"; which: number; slow: boolean }
	| { what: "slow answers arrive" | "customer returns" | "sweep" | "wake" | "reconcile" | "provider down" | "answer lost" | "jobs lost" };

export interface Scenario {
	service: ServiceCode;
	waived: boolean;
	/** Whether the bank takes its time to take refunds. */
	slowRefunds: boolean;
	commands: Command[];
}

/** How the news of a scenario come. */
export interface Perturbations {
	/** After each command. */
	between: Perturbation[][];
	/** Which events never arrive, by their place; those of disputes always do. */
	lost: number[];
	/** Whether those that are late arrive newest first. */
	backwards: boolean;
}

const usual: Command[][] = [
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
	.tuple(fc.constantFrom(...usual), fc.array(fc.constantFrom(...commands), { maxLength: 6 }))
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

/** What happens to an order, and some ways in which the news of it come. */
export interface Histories {
	scenario: Scenario;
	perturbations: Perturbations[];
}

/** @param ways how many histories share a scenario, at most: it is played unperturbed but once. */
export const histories = (ways: number): fc.Arbitrary<Histories> =>
	chosenCommands.chain((chosen) =>
		fc.record({
			scenario: fc.record({
				service: fc.constantFrom(...serviceCodes),
				waived: fc.boolean(),
				slowRefunds: fc.boolean(),
				commands: fc.constant(chosen),
			}),
			perturbations: fc.array(
				fc.record({
					between: fc.array(fc.array(perturbation, { maxLength: 6 }), { minLength: chosen.length, maxLength: chosen.length }),
					lost: fc.uniqueArray(place, { maxLength: 4 }),
					backwards: fc.boolean(),
				}),
				{ minLength: 1, maxLength: ways, size: "max" },
			),
		}),
	);
