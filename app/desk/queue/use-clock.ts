import { useEffect, useState } from "react";

/** Milliseconds between two ticks: the page shows minutes. */
const interval = 10_000;

/** The server's clock, going on in the browser from the instant at which the page's data were read. */
export function useClock(readAt: string): Date {
	const [elapsed, setElapsed] = useState({ readAt, ms: 0 });
	useEffect(() => {
		const started = performance.now();
		setElapsed({ readAt, ms: 0 });
		const timer = setInterval(() => setElapsed({ readAt, ms: performance.now() - started }), interval);
		return () => clearInterval(timer);
	}, [readAt]);
	return new Date(Date.parse(readAt) + (elapsed.readAt === readAt ? elapsed.ms : 0));
}
