import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { button } from "../../ui/button.tsx";

/** The button of a form around signing in: disabled while its answer is awaited, because a password takes a moment to check. */
export function DoorButton({ children }: { children: ReactNode }) {
	const busy = useNavigation().state !== "idle";
	return (
		<button type="submit" disabled={busy} className={button("primary", "w-full")}>
			{busy ? "Un instant…" : children}
		</button>
	);
}
