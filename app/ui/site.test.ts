import { expect, test } from "vitest";
import { capitalise } from "./capitalise.ts";
import { pageMeta, type Site } from "./site.ts";

const site = { baseUrl: "https://extraitpro.example", shop: { name: "ExtraitPro" } } as Site;

const describe = (pathname: string, meta: Parameters<typeof pageMeta>[1], loaderData: Site | undefined = site) =>
	pageMeta({ matches: [{ loaderData }], location: { pathname } }, meta);

const about = [
	{ name: "description", content: "Les prix." },
	{ property: "og:description", content: "Les prix." },
];
const general = [
	{ property: "og:title", content: "Tarifs" },
	{ property: "og:type", content: "website" },
	{ property: "og:locale", content: "fr_FR" },
];
const ofSite = (path: string, image: string) => [
	{ property: "og:site_name", content: "ExtraitPro" },
	{ property: "og:url", content: `https://extraitpro.example${path}` },
	{ property: "og:image", content: `https://extraitpro.example${image}` },
	{ property: "og:image:width", content: "1200" },
	{ property: "og:image:height", content: "630" },
	{ name: "twitter:card", content: "summary_large_image" },
];
const canonical = { tagName: "link", rel: "canonical", href: "https://extraitpro.example/tarifs" };
const noindex = { name: "robots", content: "noindex" };
const title = { title: "Tarifs – ExtraitPro" };

test.each<[string, string, Parameters<typeof pageMeta>[1], object[]]>([
	["a page", "/tarifs", { title: "Tarifs" }, [title, ...general, ...ofSite("/tarifs", "/apercu.png"), canonical]],
	[
		"a page in capitals, with a description",
		"/TARIFS",
		{ title: "Tarifs", description: "Les prix." },
		[title, ...about, ...general, ...ofSite("/tarifs", "/apercu.png"), canonical],
	],
	[
		"a page with a picture of its own",
		"/tarifs",
		{ title: "Tarifs", picture: true },
		[title, ...general, ...ofSite("/tarifs", "/apercu/tarifs.png"), canonical],
	],
	[
		"a page that is not for search engines",
		"/tarifs",
		{ title: "Tarifs", picture: true, index: false },
		[title, ...general, ...ofSite("/tarifs", "/apercu.png"), noindex],
	],
])("%s says what it is", (_, path, meta, expected) => {
	expect(describe(path, meta)).toEqual(expected);
});

test("the page of an error before the shop is known has its title alone", () => {
	expect(pageMeta({ matches: [{}], location: { pathname: "/tarifs" } }, { title: "Tarifs" })).toEqual([{ title: "Tarifs" }, ...general]);
});

test("a text begins as a sentence does", () => {
	expect(["sans limite", "été", ""].map(capitalise)).toEqual(["Sans limite", "Été", ""]);
});
