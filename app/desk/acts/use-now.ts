import { useEffect, useState } from "react";

/** The time in milliseconds, once a second; null before the page runs its scripts. */
export function useNow(): number | null {
	const [now, setNow] = useState<number | null>(null);
	useEffect(() => {
		const update = () => setNow(Date.now());
		update();
		const timer = setInterval(update, 1000);
		return () => clearInterval(timer);
	}, []);
	return now;
}
