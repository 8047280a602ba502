import { jobKinds } from "../app/job-kinds.ts";
import { createRuntime } from "../server/create-runtime.ts";
import { parseEnvironment } from "../server/environment/environment.ts";
import type { Runtime } from "../server/runtime.ts";

/**
 * Runs use cases in this process, on the database of a shop that runs in others.
 * @param variables the environment of the shop's processes, with `DATABASE_URL`. @param now by default the present.
 */
export async function besideShop<Result>(
	variables: Record<string, string>,
	work: (runtime: Runtime) => Promise<Result>,
	now: () => Date = () => new Date(),
): Promise<Result> {
	const parsed = parseEnvironment(variables);
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const { environment } = parsed;
	const connection = { connectionString: environment.databaseUrl };
	const { runtime, close } = await createRuntime(environment, connection, jobKinds, { supervise: false, now });
	try {
		return await work(runtime);
	} finally {
		await close(1000);
	}
}
