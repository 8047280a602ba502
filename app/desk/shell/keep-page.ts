import type { ShouldRevalidateFunction } from "react-router";

/**
 * For `shouldRevalidate` of each page of the desk: without network its data are not read again, because a reading that fails would put an
 * error in the place of the page and of what was typed.
 */
export const keepPageOffline: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
	const isOffline = navigator.onLine === false || (actionResult as { state?: string } | undefined)?.state === "offline";
	return !isOffline && defaultShouldRevalidate;
};
