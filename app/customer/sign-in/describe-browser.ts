/** The first that matches counts: many browsers also give the names of others. */
const browsers: readonly [RegExp, string][] = [
	[/Edg(e|A|iOS)?\//, "Edge"],
	[/OPR\/|Opera/, "Opera"],
	[/SamsungBrowser\//, "Samsung Internet"],
	[/Firefox\/|FxiOS\//, "Firefox"],
	[/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
	[/Safari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
	[/iPhone|iPod/, "iPhone"],
	[/iPad/, "iPad"],
	[/Android/, "Android"],
	[/Windows/, "Windows"],
	[/Mac OS X|Macintosh/, "Mac"],
	[/CrOS/, "ChromeOS"],
	[/Linux/, "Linux"],
];

/** « Firefox, Windows »: enough for its owner to recognise it. @param userAgent what the browser says of itself. */
export function describeBrowser(userAgent: string | null): string {
	const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
	const [browser, system] = [find(browsers), find(systems)];
	return [browser ?? "Navigateur inconnu", system].filter(Boolean).join(", ");
}
