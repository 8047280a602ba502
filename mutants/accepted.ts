interface Accepted {
	file: string;
	/** The code as it stands. */
	was: string;
	/** What it may become; anything when left out. */
	became?: string;
	/** Why nobody could tell. */
	why: string;
}

/** Mutants that change nothing that a customer, an operator or an accountant could see. A row whose code is gone is named, to be taken out. */
export const accepted: readonly Accepted[] = [
	{
		file: "app/documents/disk-storage.server.ts",
		was: 'process.platform === "win32"',
		became: "false",
		why: "Windows only, where the tests do not run",
	},
	{
		file: "app/documents/documents.store.server.ts",
		was: 'trx.selectFrom("documents").select("id").where("storage_path", "=", path).where("purged_at", "is", null).limit(1)',
		why: "the first of many rows is read either way: the limit spares the database work",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "Body === undefined",
		became: "false",
		why: "only the SDK's types say that an answer may have no content",
	},
	{
		file: "app/documents/s3-storage.server.ts",
		was: "endpoint && { endpoint, forcePathStyle: true }",
		why: "without an endpoint the bucket is at AWS, which no test asks and which takes both styles",
	},
	{
		file: "app/invoices/invoice-pdf.server.ts",
		was: "[name, contact, address, city, data.line.description]",
		why: "a rule of thumb: the page holds four long texts and the air between them, and the tests draw the longest of all",
	},
	{
		file: "app/invoices/invoice-pdf.server.ts",
		was: '[name, contact, address, city, data.line.description].join("").length > 400',
		became: '[name, contact, address, city, data.line.description].join("").length >= 400',
		why: "a rule of thumb: one letter more or less fits either way",
	},
	{
		file: "app/invoices/invoice-pdf.server.ts",
		was: "text.length > 90",
		became: "text.length >= 90",
		why: "a rule of thumb: one letter more or less fits either way",
	},
	{
		file: "app/invoices/invoice-pdf.server.ts",
		was: "half.width - 65",
		why: "the labels are ours, and short: the longest ends before the amounts whatever its box",
	},
	{
		file: "app/invoices/invoice-pdf.server.ts",
		was: 'label ?? ""',
		why: "for the types: each column has a label",
	},
];
