import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";

/**
 * Opens pages of the desk. Without network the page on the screen stays, because the browser would show its error in place of what was
 * typed; the page that was asked for by a link or by `go` opens when the network is back.
 * @returns `asked`: the address that waits for the network.
 */
export function useGo(): { go: (address: string) => void; asked: string | null } {
	const navigate = useNavigate();
	const [asked, setAsked] = useState<string | null>(null);
	const go = useCallback(
		(address: string) => {
			if (navigator.onLine === false) setAsked(address);
			else void navigate(address);
		},
		[navigate],
	);
	useEffect(() => {
		const onClick = (event: MouseEvent) => {
			if (navigator.onLine || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
			const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
			if (
				!link ||
				link.origin !== location.origin ||
				link.pathname + link.search === location.pathname + location.search ||
				link.hasAttribute("download") ||
				link.target
			)
				return;
			event.preventDefault();
			event.stopPropagation();
			setAsked(link.pathname + link.search);
		};
		// before the framework's own handler
		addEventListener("click", onClick, { capture: true });
		return () => removeEventListener("click", onClick, { capture: true });
	}, []);
	useEffect(() => {
		if (asked === null) return;
		const open = () => {
			setAsked(null);
			void navigate(asked);
		};
		addEventListener("online", open, { once: true });
		return () => removeEventListener("online", open);
	}, [asked, navigate]);
	return { go, asked };
}
