import fc from "fast-check";
import { expect, test } from "vitest";
import { toText } from "./html-text.server.ts";

test.each([
	["Bonjour<br>à tous", "Bonjour\nà tous"],
	["<P>un</P><DIV>deux</DIV>trois", "un\n\ndeux\ntrois"],
	["<b>un</b><i>deux</i>", "undeux"],
	["<span>un</span> <span>deux</span>", "un deux"],
	["un  deux\n   trois<br> quatre ", "un deux trois\nquatre"],
	["un<br><br><br><br>deux", "un\n\ndeux"],
	["<div>un</div><div><br></div><div>deux</div>", "un\n\ndeux"],
	["<p>un</p><p>&nbsp;</p><p>deux</p>", "un\n\ndeux"],
	["<STYLE>p{}<b>x</b></STYLE>visible", "visible"],
	["<style><script>x</script>y</style>visible", "visible"],
	["<title>Sans titre</title><script>alert('<p>')</script>visible", "visible"],
	["<xml><o:OfficeDocumentSettings>96</o:OfficeDocumentSettings></xml>visible", "visible"],
	["<!-- caché --><!--[if mso]><p>pour Word</p><![endif]-->vu <![if !mso]>aussi<![endif]>", "vu aussi"],
	["<?xml version='1.0'?><!doctype html>vu", "vu"],
	["<p title=\"a > b\" data-x='</p>'>vu</p>", "vu"],
	["a < b > c", "a < b > c"],
	["Bonjour <b", "Bonjour"],
	["2 &gt; 1 &lt; 3 &amp; &quot;l&#39;&eacute;t&eacute;&quot;", '2 > 1 < 3 & "l\'été"'],
	["l&rsquo;&oelig;uvre&hellip; 59&nbsp;&euro; &laquo;&nbsp;oui&nbsp;&raquo; &#8217;&#x2019;&#150;", "l’œuvre… 59 € « oui » ’’–"],
	["&eacute&copy2 &foo; &euro &amp;eacute;", "é©2 &foo; &euro &eacute;"],
	["<table><tr><th>Article</th><th>Prix</th></tr><tr><td>Kbis</td><td>59&nbsp;€</td></tr></table>fin", "Article\tPrix\nKbis\t59 €\n\nfin"],
	["<ul><li>un<li>deux</ul>", "- un\n- deux"],
	["zéro<pre>\nun\n  deux<br>t<b>rois</b></pre>quatre  fois", "zéro\n\nun\n  deux\ntrois\n\nquatre fois"],
	["<ul><li><p>un</p></li><li></li><li>\n<div>deux</div></ul>", "- un\n\n- deux"],
	["<pre>un<b>deux</b>\ntrois<br>\nquatre</pre>", "undeux\ntrois\nquatre"],
	["<ol><li></ol>fin", "fin"],
	["<ul><li></li>fin</ul>", "fin"],
	["<ul><li><li><b></b>un</ul>", "- un"],
	["a<xml><img alt=x><td>y</xml>b", "ab"],
	["caf&eacute", "café"],
	["<a HREF='https://exemple.fr'>un</a>", "un (https://exemple.fr)"],
	["<ul><li></ul>fin <details><summary>un</summary>deux</details>", "fin\nun\ndeux"],
	["<table><tr><td><p>a</p></td><td>\n<p>b</p></td></tr><tr><td></td><td>c<td><td>d</td></tr></table>", "a\tb\n\n\tc\t\td"],
	["<table><tr><td>a<table><tr><td>b<td></table></td><td>c<td><ul><li>d</ul></table>", "a\n\nb\n\nc\t- d"],
	['<a href="https://exemple.fr/x?a=1&amp;b=2">la page</a>, puis', "la page (https://exemple.fr/x?a=1&b=2), puis"],
	[
		'<a href="https://exemple.fr/">exemple.fr</a> et <a href="HTTPS://Exemple.fr">https://exemple.fr/</a>',
		"exemple.fr et https://exemple.fr/",
	],
	[
		'<a href="mailto:ada@exemple.fr">écrire</a> <a href="mailto:ada@exemple.fr">ada@exemple.fr</a>',
		"écrire (ada@exemple.fr) ada@exemple.fr",
	],
	['<a href="mailto:a@b.fr?subject=x">a@b.fr</a> <a href="https://a.fr" href="https://b.fr">un</a>', "a@b.fr un (https://a.fr)"],
	['<a href=" https://exemple.fr/x ">un</a> <a href=" mailto:a@b.fr ">deux</a>', "un (https://exemple.fr/x) deux (a@b.fr)"],
	[`<a href="https://exemple.fr/${"x".repeat(2000)}">un</a>`, `un (https://exemple.fr/${"x".repeat(981)})`],
	['<a href="javascript:x">un</a> <a href="#haut">deux</a> <a name=x>trois</a>', "un deux trois"],
	["<a href=https://a.fr>un<a href=https://b.fr>deux", "un (https://a.fr)deux (https://b.fr)"],
	["Voir<img src=logo.png alt='notre logo &gt;'>ici<img src=x>", "Voir notre logo > ici"],
	["<div>Bonjour</div><blockquote>Le lundi</blockquote>", "Bonjour\n\nLe lundi"],
	[`<style>${"x".repeat(1_000_000)}</style>fin`, ""],
])("the HTML « %.60s » is read as « %s »", (html, text) => {
	expect(toText(html)).toBe(text);
});

test.each([
	...["script", "style", "title", "template", "xml", "noframes", "iframe"].map((name) => [name, "ac"]),
	...["div", "tr", "dt", "dd", "section", "footer", "fieldset", "legend", "figure", "figcaption"].map((name) => [name, "a\nb\nc"]),
	...["caption", "thead", "tbody", "tfoot", "option", "details", "summary"].map((name) => [name, "a\nb\nc"]),
	...["p", "h1", "h6", "ul", "table", "blockquote", "hr"].map((name) => [name, "a\n\nb\n\nc"]),
	...["span", "o:p", "label"].map((name) => [name, "abc"]),
])("the element %s", (name, text) => {
	expect(toText(`a<${name}>b</${name}>c`)).toBe(text);
	// in capitals, and with attributes
	expect(toText(`a<${name.toUpperCase()} CLASS="x y" hidden>b</${name.toUpperCase()} >c`)).toBe(text);
});

test("no letter of the text of a page is lost, whatever its elements are", () => {
	const names = ["p", "div", "b", "td", "tr", "table", "li", "a", "blockquote", "font", "o:p", "h1", "pre", "br", "span"];
	const word = fc.stringMatching(/^[a-zé€œ0-9’]{1,8}$/);
	const piece = fc.oneof(
		word,
		fc.tuple(fc.constantFrom("<", "</"), fc.constantFrom(...names)).map(([open, name]) => `${open}${name}>`),
	);
	fc.assert(
		fc.property(fc.array(piece), (pieces) => {
			const letters = pieces.filter((each) => !each.startsWith("<")).join("");
			expect(toText(pieces.join("")).replace(/[\s-]/g, "")).toBe(letters);
		}),
	);
});

test("a text is no longer than its page, except by the blanks and lines of its elements", () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom("<p>", "<td>", "<li>", "<br>", "&amp;", "<a href=http://x>", "</a>", "x", "<", ">", "<pre>")),
			(pieces) => {
				expect(toText(pieces.join("")).length).toBeLessThanOrEqual(pieces.length * 12);
			},
		),
	);
});
