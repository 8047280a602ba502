import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** Kinds of message. Each has its own icon, because colour alone must not carry a meaning. */
const kinds = {
	info: { icon: "info", colour: "border-edge", sign: "text-soft" },
	waiting: { icon: "clock", colour: "border-waiting", sign: "text-waiting" },
	warning: { icon: "alert", colour: "border-waiting", sign: "text-waiting" },
	done: { icon: "check", colour: "border-done", sign: "text-done" },
	failed: { icon: "alert", colour: "border-failed", sign: "text-failed" },
} as const satisfies Record<string, { icon: IconName; colour: string; sign: string }>;

export type NoticeKind = keyof typeof kinds;

/** A message in the page. With `live`, screen readers announce it when it appears or changes. */
export function Notice({
	kind = "info",
	title,
	live,
	className = "",
	children,
}: {
	kind?: NoticeKind;
	title?: ReactNode;
	live?: boolean;
	className?: string;
	children?: ReactNode;
}) {
	const { icon, colour, sign } = kinds[kind];
	return (
		<div
			role={live ? (kind === "failed" ? "alert" : "status") : undefined}
			className={`flex gap-3 border-l-2 py-1 pl-4 ${colour} ${className}`}
		>
			<Icon name={icon} className={`mt-1 size-5 ${sign}`} />
			<div className="min-w-0">
				{title && <p className="font-semibold">{title}</p>}
				{children}
			</div>
		</div>
	);
}

/** States of an order without a message (docs/rules.md, R20). */
const states = {
	...kinds,
	paid: { icon: "card", sign: "text-paid" },
	processing: { icon: "cycle", sign: "text-processing" },
} as const satisfies Record<string, { icon: IconName; sign: string }>;

export type StatusKind = keyof typeof states;

/** A state in a word, with its icon: « Payé », « Entreprise active ». */
export function Status({ kind, children }: { kind: StatusKind; children: ReactNode }) {
	const { icon, sign } = states[kind];
	return (
		<span className={`inline-flex items-center gap-1.5 font-semibold ${sign}`}>
			<Icon name={icon} className="size-4.5" />
			{children}
		</span>
	);
}
