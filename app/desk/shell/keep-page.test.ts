import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Pages of signed-in operators that read data. The doors have nothing to keep, and the page of an upload reads nothing. */
const pages = globSync("app/routes/desk/**/*.tsx").filter((path) => !/doors\/(?!access)|order\/extract/.test(path));

test.each(pages)("%s stays as it is when a form was not read", (path) => {
	expect(readFileSync(path, "utf8")).toMatch(/keepPage as shouldRevalidate|shouldRevalidate = ([^;]*keepPage\(args\)|\(\) => false)/);
});
