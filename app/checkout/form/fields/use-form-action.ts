import { useLocation } from "react-router";

/** The address of this page at an anchor, for a button that submits the form without JavaScript: its answer starts there. */
export function useFormAction(anchor: string): string {
	const { pathname, search } = useLocation();
	return `${pathname}${search}#${anchor}`;
}
