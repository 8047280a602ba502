import { data } from "react-router";

export const handle = { scripts: false };

/** Every address that no other route answers. The page itself is the error page of root.tsx. */
export function loader() {
	throw data(null, { status: 404 });
}
export const action = loader;

export default function NotFound() {
	return null;
}
