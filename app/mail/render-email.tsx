import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { formatSupportHours, setFrenchSpaces } from "../ui/french-spaces.ts";
import type { EmailBlock, EmailContent } from "./email.ts";
import { letterhead } from "./letterhead.ts";

/** Renders an e-mail as HTML and as plain text, both signed. The HTML loads nothing from outside. */
export function renderEmail(email: EmailContent, shop: ShopIdentity): { subject: string; text: string; html: string } {
	const signature = sign(shop);
	return {
		subject: setFrenchSpaces(email.subject),
		text: `${[setFrenchSpaces(email.title), ...email.blocks.map(blockText)].join("\n\n")}\n\n-- \n${signature.join("\n")}\n`,
		html: `<!doctype html>${renderToStaticMarkup(<EmailPage email={email} shop={shop} signature={signature} />)}`,
	};
}

/** The signature: a private service, and its company with its number (C. com. art. R123-237). */
const sign = (shop: ShopIdentity) =>
	[
		`${shop.name} — service privé, indépendant d’Infogreffe, des greffes, de l’INPI et de l’État.`,
		`${shop.email} · ${shop.phone} (${formatSupportHours(shop.supportHours)})`,
		`${shop.legalEntity}, ${shop.address}. SIREN ${shop.siren}, ${shop.rcs}. TVA ${shop.vat}.`,
	].map(setFrenchSpaces);

function blockText(block: EmailBlock): string {
	if (typeof block === "string") return setFrenchSpaces(block);
	if ("heading" in block) return `${setFrenchSpaces(block.heading)}\n${"-".repeat(block.heading.length)}`;
	if ("list" in block) return block.list.map((item, i) => setFrenchSpaces(`${block.numbered ? `${i + 1}.` : "-"} ${item}`)).join("\n");
	if ("descriptionList" in block) return block.descriptionList.map(([label, value]) => setFrenchSpaces(`${label} : ${value}`)).join("\n");
	if ("action" in block) return `${setFrenchSpaces(`${block.action} :`)}\n${block.url}`;
	if ("link" in block) return `${setFrenchSpaces(`${block.link} :`)}\n${block.url}`;
	if ("quote" in block) return block.quote.map((line) => `> ${setFrenchSpaces(line)}`).join("\n");
	return `    ${block.command}`;
}

const sans = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const serif = 'Georgia, "Times New Roman", serif';

/** The light palette is inline, for mailboxes that drop the style sheet; the dark one overrides it. */
const light = {
	paper: "#faf8f2",
	sheet: "#fffefb",
	ink: "#15211c",
	soft: "#4d5953",
	line: "#dcd7c9",
	accent: "#14583f",
	onAccent: "#ffffff",
};
const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
	.paper { background-color: #101613 !important; }
	.sheet { background-color: #171f1b !important; }
	.ink { color: #eceae2 !important; }
	.soft { color: #adb6b0 !important; }
	.line { border-color: #303a35 !important; }
	.button { background-color: #83cfae !important; color: #0c1813 !important; }
}
@media (max-width: 480px) {
	.sheet { padding: 24px 20px !important; }
	.label, .value { display: block !important; width: auto !important; }
	.label { padding: 8px 0 0 !important; border-bottom: 0 !important; font-size: 14px !important; line-height: 20px !important; }
	.value { padding: 0 0 8px !important; }
}`;

/** Columns keep their widths, and a name without spaces breaks, so that nothing widens a narrow screen. */
const fixed = { tableLayout: "fixed", overflowWrap: "break-word", wordBreak: "break-word" } as const;

const text = { margin: "0 0 16px", fontFamily: sans, fontSize: 16, lineHeight: "26px", color: light.ink };
const heading = { fontFamily: serif, fontWeight: 500, color: light.ink };
const cell = { margin: 0, padding: "9px 0", verticalAlign: "top", borderBottom: `1px solid ${light.line}` } as const;

function EmailPage({ email, shop, signature }: { email: EmailContent; shop: ShopIdentity; signature: readonly string[] }) {
	return (
		<html lang="fr">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<meta name="supported-color-schemes" content="light dark" />
				{/* a SIREN is not a telephone number */}
				<meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
				<title>{setFrenchSpaces(email.subject)}</title>
				<style>{darkRules}</style>
			</head>
			<body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
				<div style={{ display: "none", maxHeight: 0, overflow: "hidden" }}>{setFrenchSpaces(email.preheader)}</div>
				<Column className="paper" style={{ backgroundColor: light.paper }}>
					<Letterhead name={shop.name} />
					<div
						className="sheet line"
						style={{ padding: "32px 32px 16px", backgroundColor: light.sheet, border: `1px solid ${light.line}`, borderRadius: 4 }}
					>
						<h1 className="ink" style={{ ...heading, margin: "0 0 20px", fontSize: 26, lineHeight: "32px" }}>
							{setFrenchSpaces(email.title)}
						</h1>
						{email.blocks.map((block, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: an e-mail is rendered once
							<BlockPart key={i} block={block} />
						))}
					</div>
					<div className="line" style={{ marginTop: 28, padding: "16px 0 0", borderTop: `1px solid ${light.line}` }}>
						{signature.map((line) => (
							<p key={line} className="soft" style={{ ...text, margin: "0 0 6px", fontSize: 13, lineHeight: "20px", color: light.soft }}>
								{line}
							</p>
						))}
					</div>
				</Column>
			</body>
		</html>
	);
}

/** The band of hairlines of the shop's papers, its mark and its name. Without pictures the name is left. */
function Letterhead({ name }: { name: string }) {
	const { band, mark } = letterhead;
	return (
		<>
			<img
				src={`cid:${band.cid}`}
				width={band.width}
				height={band.height}
				alt=""
				fetchPriority="low"
				style={{ display: "block", width: "100%", height: band.height, border: 0 }}
			/>
			<p className="ink" style={{ ...heading, margin: "16px 0 18px", fontSize: 20, lineHeight: "28px" }}>
				<img
					src={`cid:${mark.cid}`}
					width={mark.width}
					height={mark.height}
					alt=""
					fetchPriority="low"
					style={{ marginRight: 8, border: 0, verticalAlign: "middle" }}
				/>
				<span style={{ verticalAlign: "middle" }}>{name}</span>
			</p>
		</>
	);
}

/** A column of at most 600 px; a table, because some mailboxes support no other layout. */
function Column({ children, className, style }: { className: string; style: { backgroundColor: string }; children: ReactNode }) {
	return (
		<table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0} className={className} style={{ ...fixed, ...style }}>
			<tbody>
				<tr>
					<td align="center" style={{ padding: "28px 12px" }}>
						<table role="presentation" width="100%" cellPadding={0} cellSpacing={0} border={0} style={{ ...fixed, maxWidth: 600 }}>
							<tbody>
								<tr>
									<td align="left">{children}</td>
								</tr>
							</tbody>
						</table>
					</td>
				</tr>
			</tbody>
		</table>
	);
}

function BlockPart({ block }: { block: EmailBlock }) {
	if (typeof block === "string")
		return (
			<p className="ink" style={text}>
				{setFrenchSpaces(block)}
			</p>
		);
	if ("heading" in block)
		return (
			<h2 className="ink" style={{ ...heading, margin: "28px 0 12px", fontSize: 20, lineHeight: "26px" }}>
				{setFrenchSpaces(block.heading)}
			</h2>
		);
	if ("list" in block) {
		const List = block.numbered ? "ol" : "ul";
		return (
			<List className="ink" style={{ ...text, paddingLeft: 24 }}>
				{block.list.map((item) => (
					<li key={item} style={{ marginBottom: 6 }}>
						{setFrenchSpaces(item)}
					</li>
				))}
			</List>
		);
	}
	if ("descriptionList" in block) return <DescriptionList rows={block.descriptionList} />;
	if ("action" in block)
		return (
			<p style={{ ...text, margin: "24px 0" }}>
				<a
					className="button"
					href={block.url}
					style={{
						display: "inline-block",
						padding: "10px 18px",
						borderRadius: 4,
						fontWeight: 600,
						textDecoration: "none",
						backgroundColor: light.accent,
						color: light.onAccent,
					}}
				>
					{setFrenchSpaces(block.action)}
				</a>
			</p>
		);
	if ("link" in block)
		return (
			<p style={text}>
				<a className="ink" href={block.url} style={{ display: "inline-block", padding: "4px 0", color: light.ink }}>
					{setFrenchSpaces(block.link)}
				</a>
			</p>
		);
	if ("quote" in block)
		return (
			<blockquote
				className="ink line"
				style={{ ...text, margin: "0 0 16px", padding: "0 0 0 16px", borderLeft: `3px solid ${light.line}`, whiteSpace: "pre-line" }}
			>
				{setFrenchSpaces(block.quote.join("\n"))}
			</blockquote>
		);
	return (
		<p className="ink" style={{ ...text, fontFamily: "Menlo, Consolas, monospace", fontSize: 14 }}>
			{block.command}
		</p>
	);
}

function DescriptionList({ rows }: { rows: readonly (readonly [label: string, value: string])[] }) {
	return (
		<table
			role="presentation"
			width="100%"
			cellPadding={0}
			cellSpacing={0}
			border={0}
			className="line"
			style={{ ...fixed, margin: "4px 0 20px" }}
		>
			<tbody>
				{rows.map(([label, value]) => (
					<tr key={label}>
						<td className="label soft line" width="40%" style={{ ...text, ...cell, paddingRight: 8, color: light.soft }}>
							{setFrenchSpaces(label)}
						</td>
						<td className="value ink line" style={{ ...text, ...cell }}>
							{setFrenchSpaces(value)}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
