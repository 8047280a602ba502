import { useEffect } from "react";
import { useRevalidator } from "react-router";

const pollInterval = 5000;

/**
 * Keeps a page's data fresh from a live stream at `url`, or by polling where streams do not pass; null stops it.
 * @param answer what a form of the page was answered. Fresh data would take it away, with what was typed: the page waits for the next step.
 */
export function useLive(source: string | null, answer: object | null | undefined): void {
	const url = answer ? null : source;
	const { revalidate } = useRevalidator();
	useEffect(() => {
		if (url === null) return;
		let timer: number | undefined;
		const poll = () => {
			timer ??= window.setInterval(revalidate, pollInterval);
		};
		const stream = typeof EventSource === "undefined" ? null : new EventSource(url);
		stream?.addEventListener("change", () => void revalidate());
		stream?.addEventListener("error", () => {
			if (stream.readyState === EventSource.CLOSED) poll();
		});
		if (stream === null) poll();
		return () => {
			stream?.close();
			window.clearInterval(timer);
		};
	}, [url, revalidate]);
}
