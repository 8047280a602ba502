import { createPdf } from "../documents/pdf-sheet.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { drawInvoice, formatInvoiceTitle } from "./invoice-pdf.server.ts";

/**
 * Creates the file of an invoice or a credit note: a PDF/A-3b with embedded XML (Factur-X 1.09, profile EN 16931).
 * It depends on `data` only, not on the clock or on random numbers: the same data give the same bytes.
 */
export async function createInvoicePdf(data: InvoiceData): Promise<Uint8Array> {
	// imported here, because the library uses 28 MB that most processes do not need
	const { createFacturX: facturX } = await import("./factur-x.server.ts");
	const issuedAt = new Date(data.issuedAt);
	const document = createPdf(formatInvoiceTitle(data), issuedAt);
	const chunks: Buffer[] = [];
	document.on("data", (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise((resolve, reject) => document.once("end", resolve).once("error", reject));
	drawInvoice(document, data);
	// attached by pdfkit, because the Factur-X library writes the current time
	const attachment = {
		name: "factur-x.xml",
		type: "application/xml",
		description: "Factur-X",
		relationship: "Alternative", // the XML has the same content as the page
		creationDate: issuedAt,
		modifiedDate: issuedAt,
	};
	document.file(Buffer.from(facturX(data)), attachment);
	document.appendXML(facturXMetadata);
	document.end();
	await done;
	return new Uint8Array(Buffer.concat(chunks));
}

const describeProperty = (name: string, description: string) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`;

/** The metadata that identify Factur-X (Factur-X 1.0, 6.2.2), with the schema that PDF/A requires. */
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
${describeProperty("DocumentFileName", "Name of the embedded XML invoice file")}
${describeProperty("DocumentType", "INVOICE")}
${describeProperty("Version", "Version of the Factur-X XML schema")}
${describeProperty("ConformanceLevel", "Conformance level of the embedded Factur-X data")}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;
