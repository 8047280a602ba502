import { useEffect, useRef } from "react";

/** Milliseconds after which a file that had no network is sent again. */
const retryAfter = 4000;

/** Sends a file again that had no network: after some seconds, and when the network is back. */
export function useRetry(isOffline: boolean, send: () => void): void {
	const current = useRef(send);
	current.current = send;
	useEffect(() => {
		if (!isOffline) return;
		const again = () => current.current();
		const timer = setInterval(again, retryAfter);
		addEventListener("online", again);
		return () => {
			clearInterval(timer);
			removeEventListener("online", again);
		};
	}, [isOffline]);
}
