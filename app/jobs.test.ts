import { expect, test } from "vitest";
import { jobKinds } from "./job-kinds.ts";
import { jobTable } from "./jobs.ts";

test("every kind of job has its row, and no other has", () => {
	expect(jobTable.map(({ kind }) => kind.name).sort()).toEqual(jobKinds.map(({ name }) => name).sort());
});
