import type { InvoiceData } from "./invoice.ts";
import { createPdf, drawInvoice, invoiceTitle } from "./invoice-pdf.server.ts";

/**
 * Makes the final file of an invoice or a credit note: a PDF/A-3b of one page with its data embedded (Factur-X 1.09, profile EN 16931).
 * Nothing but `data` enters it, neither clock nor chance: the same data gives the same bytes.
 */
export async function makeInvoice(data: InvoiceData): Promise<Uint8Array> {
	// its library weighs 28 MB, which a process that makes no invoice does without
	const { facturX } = await import("./factur-x.server.ts");
	const issuedAt = new Date(data.issuedAt);
	const document = createPdf(invoiceTitle(data), issuedAt);
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise((resolve, reject) => document.once("end", resolve).once("error", reject));
	drawInvoice(document, data);
	// pdfkit attaches it, not the Factur-X library, which dates every file with the clock
	const attachment = {
		name: "factur-x.xml",
		type: "application/xml",
		description: "Factur-X",
		relationship: "Alternative", // the XML says all that the page says
		creationDate: issuedAt,
		modifiedDate: issuedAt,
	};
	document.file(Buffer.from(facturX(data)), attachment);
	document.appendXML(facturXMetadata);
	document.end();
	await done;
	return new Uint8Array(Buffer.concat(chunks));
}

const property = (name: string, description: string) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`;

/** What a reader of PDFs looks for (Factur-X 1.0, 6.2.2), and, as PDF/A wants of any foreign metadata, its description. */
const facturXMetadata = `
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
<fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
<fx:Version>1.0</fx:Version>
<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${property("DocumentFileName", "Name of the embedded XML invoice file")}
${property("DocumentType", "INVOICE")}
${property("Version", "Version of the Factur-X XML schema")}
${property("ConformanceLevel", "Conformance level of the embedded Factur-X data")}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;
