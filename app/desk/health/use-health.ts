import { useEffect, useState } from "react";
import { href } from "react-router";
import type { ShopHealth } from "./shop-health.ts";

/** Milliseconds between two readings; the first is sooner when the page came without a result. */
const interval = 30_000;
const firstWait = 2000;

/** The health of the shop; `unreachable` when the server gives no answer. */
export type KnownHealth = ShopHealth | "unreachable" | null;

/** Keeps the health of the shop fresh while the page is visible. @param first as the page was read with. */
export function useHealth(first: ShopHealth | null): KnownHealth {
	const [read, setRead] = useState<KnownHealth>(null);
	useEffect(() => {
		// the page was read again: its result is newer, unless the network went meanwhile
		if (first !== null && navigator.onLine !== false) setRead(null);
		let isOver = false;
		let timer: number | undefined;
		const plan = (milliseconds: number) => {
			clearTimeout(timer);
			timer = window.setTimeout(update, milliseconds);
		};
		const update = async () => {
			const health = document.hidden ? undefined : await fetchHealth();
			if (isOver) return;
			if (health !== undefined) setRead(health);
			plan(interval);
		};
		const onChange = () => void (document.hidden || update());
		plan(first === null ? firstWait : interval);
		document.addEventListener("visibilitychange", onChange);
		addEventListener("online", onChange);
		addEventListener("offline", onChange);
		return () => {
			isOver = true;
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", onChange);
			removeEventListener("online", onChange);
			removeEventListener("offline", onChange);
		};
	}, [first]);
	return read ?? first;
}

/** @returns undefined when the session is over: the last reading stays. */
async function fetchHealth(): Promise<KnownHealth | undefined> {
	try {
		const answer = await fetch(href("/bureau/etat"), { cache: "no-store", redirect: "manual" });
		if (answer.type === "opaqueredirect") return undefined;
		const health: KnownHealth = answer.ok ? await answer.json() : "unreachable";
		return health;
	} catch {
		return "unreachable";
	}
}
