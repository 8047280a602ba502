import { useEffect, useState } from "react";

/** Present when the operator switched the keys of one letter off in this browser. */
const storageKey = "bureau-sans-touches";

/** Whether keys of one letter work (WCAG 2.1.4), and how to switch them; remembered in this browser. */
export function useLetterKeys(): [boolean, (on: boolean) => void] {
	const [areOn, setOn] = useState(true);
	useEffect(() => {
		try {
			setOn(localStorage.getItem(storageKey) === null);
		} catch {
			// storage forbidden: the choice lasts as long as the page
		}
	}, []);
	const change = (on: boolean) => {
		setOn(on);
		try {
			if (on) localStorage.removeItem(storageKey);
			else localStorage.setItem(storageKey, "1");
		} catch {
			// storage full or forbidden: the choice lasts as long as the page
		}
	};
	return [areOn, change];
}
