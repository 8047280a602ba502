import { openSession, recordSignIn } from "./open-session.server.ts";
import { findOperator, findOperatorByEmail, insertMember, updateSecondFactor } from "./operators.store.server.ts";
import { roles } from "./roles.ts";
import { type SignInContext, type SignInRequest, startSession } from "./sign-in.server.ts";

const demoOperator = { name: "Camille (démo)", email: "camille@bureau.example" };

/**
 * Signs in the demo's operator, who may do everything and has no password: only the demo's button opens a session.
 * @returns Set-Cookie headers. @throws in production.
 */
export async function signInDemoOperator(context: SignInContext, request: SignInRequest): Promise<string[]> {
	const { db, now, environment, operatorAuth } = context;
	if (environment.production) throw new Error("production has no demo operator");
	const known = await findOperatorByEmail(db, demoOperator.email);
	const { internalAdapter } = await (await operatorAuth()).$context;
	const { id } = known ?? (await internalAdapter.createUser({ ...demoOperator, emailVerified: true }, { method: "demo" }));
	const operator = await db.transaction().execute(async (trx) => {
		await insertMember(trx, { userId: id, roles, now: now() });
		await updateSecondFactor(trx, id, true);
		return findOperator(trx, id);
	});
	await recordSignIn(context, { id, name: demoOperator.name }, "sign-in-to-demo", { client: request.client });
	const cookies = await startSession(context, id, request);
	if (operator === null || !(await openSession(context, cookies, operator))) throw new Error("the demo operator has left");
	return cookies;
}
