import { useEffect } from "react";
import { useBlocker } from "react-router";
import { Notice } from "../../ui/notice.tsx";

/** Keeps the page when another one is asked for without network, because the browser would show its own error; opens it afterwards. */
export function OfflineNotice() {
	const blocker = useBlocker(
		({ currentLocation, nextLocation }) => navigator.onLine === false && currentLocation.pathname !== nextLocation.pathname,
	);
	const isBlocked = blocker.state === "blocked";
	useEffect(() => {
		if (!isBlocked) return;
		const proceed = () => blocker.proceed();
		addEventListener("online", proceed, { once: true });
		return () => removeEventListener("online", proceed);
	}, [isBlocked, blocker]);
	if (!isBlocked) return null;
	return (
		<Notice kind="warning" live className="mx-4 mt-4 sm:mx-6">
			<p>Pas de réseau. La page demandée s’ouvre dès qu’il revient&nbsp;; celle-ci reste telle quelle.</p>
		</Notice>
	);
}
