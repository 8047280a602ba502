import { expect, test } from "vitest";
import { jobKinds } from "./job-kinds.ts";
import { jobTable } from "./jobs.ts";

test("each kind of job has an entry, and each entry has a kind", () => {
	expect(jobTable.map(({ kind }) => kind.name).sort()).toEqual(jobKinds.map(({ name }) => name).sort());
});
