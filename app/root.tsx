import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches } from "react-router";
import stylesheet from "./app.css?url";

export const links = () => [{ rel: "stylesheet", href: stylesheet }];

export function Layout({ children }: { children: React.ReactNode }) {
	// a page that needs no JavaScript ships none: its route says `handle = { scripts: false }`
	const plain = useMatches().some((match) => (match.handle as { scripts?: boolean } | undefined)?.scripts === false);
	return (
		<html lang="fr">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<Meta />
				<Links />
			</head>
			<body>
				{children}
				{!plain && <ScrollRestoration />}
				{!plain && <Scripts />}
			</body>
		</html>
	);
}

export default function App() {
	return <Outlet />;
}
