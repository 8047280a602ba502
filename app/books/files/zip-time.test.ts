import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { ParisDate } from "./zip-time.ts";

/** The two dates of the only file of an archive: the local one of MS-DOS, in words, and the instant of the field « UT ». */
async function readDates(instant: string) {
	const zip = new ZipFile();
	zip.addBuffer(Buffer.from("x"), "x", { mtime: new ParisDate(new Date(instant)), compress: false });
	zip.end();
	const bytes = await buffer(zip.outputStream);
	const [time, date] = [bytes.readUInt16LE(10), bytes.readUInt16LE(12)];
	const extra = bytes.indexOf("UT");
	const two = (value: number) => `${value}`.padStart(2, "0");
	return [
		`${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`,
		new Date(bytes.readUInt32LE(extra + 5) * 1000).toISOString(),
	];
}

test.each([
	["2026-11-30T10:55:08.000Z", "2026-11-30 11:55:08"],
	["2026-07-14T10:55:08.000Z", "2026-07-14 12:55:08"],
	["2026-12-31T23:30:00.000Z", "2027-01-01 00:30:00"],
	["2026-10-25T00:30:00.000Z", "2026-10-25 02:30:00"],
	["2026-10-25T01:30:00.000Z", "2026-10-25 02:30:00"],
])("a file of %s is of %s in Paris, on every server", async (instant, local) => {
	expect(await readDates(instant)).toEqual([local, instant]);
});
