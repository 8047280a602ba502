import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAuthenticator } from "../../../test/authenticator.ts";
import { createBrowser, createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { readDemoMails } from "../../mail/read-demo-mails.server.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["serve"]);
});
afterAll(() => shop?.close());

const sendJson = async ({ ask }: Pick<TestOperator, "ask">, path: string, body: unknown) => {
	const answer = await ask(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
	return { status: answer.status, ...(await answer.json()) };
};

/** The mails to an operator that begin so, once there are as many. */
const untilMails = (to: string, subject: string, count: number) =>
	vi.waitFor(
		async () => {
			const mails = await readDemoMails(join(shop.shop.environment.dataDir, "mails"), 1000);
			const found = mails.filter((mail) => mail.to === to && mail.subject.startsWith(subject));
			expect(found).toHaveLength(count);
			return found;
		},
		{ timeout: scaledTimeout(20_000), interval: 100 },
	);

const replaced = "Votre mot de passe et votre second facteur ont été remplacés";

test("a passkey opens the desk, makes the browser known, and its answer serves once; a mail tells of it", async () => {
	const authenticator = createAuthenticator(shop.shop.environment.deskUrl);
	const begun = await sendJson(ada, "/bureau/mon-acces/cle", {});
	// as some password managers send it
	const { clientExtensionResults: _, ...sparse } = authenticator.register(begun.options.challenge);
	const response = { ...sparse, response: { ...sparse.response, transports: null } };
	const added = await sendJson(ada, "/bureau/mon-acces/cle", { ticket: begun.ticket, response });
	expect(added).toMatchObject({ ok: true });
	expect(await sendJson(ada, "/bureau/mon-acces/cle", { ticket: begun.ticket, response })).toMatchObject({ ok: false });
	const [mail] = await untilMails(ada.email, "Une clé d’accès a été ajoutée", 1);
	expect(mail?.text).toContain("/bureau/mon-acces");

	const browser = createBrowser(shop.url);
	const asked = await sendJson(browser, "/bureau/connexion/cle", {});
	const answer = { ticket: asked.ticket, response: authenticator.signIn(asked.options.challenge) };
	const answers = await Promise.all([1, 2, 3].map(() => sendJson(browser, "/bureau/connexion/cle", answer)));
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
	expect((await browser.ask("/bureau/commandes")).status).toBe(200);
	expect([...browser.cookies.keys()].some((name) => name.startsWith("bureau.device_"))).toBe(true);
	const trail = await shop.shop.db.selectFrom("desk_log").select(["verb", "who", "outcome"]).orderBy("id", "desc").limit(1).execute();
	expect(trail).toEqual([{ verb: "sign-in-with-passkey", who: "Ada", outcome: "done" }]);
});

test("a malformed answer with a ticket is refused, and a body without a ticket asks for a challenge", async () => {
	const browser = createBrowser(shop.url);
	for (const response of [undefined, null, "", [], {}, { id: 1 }, { id: "a", rawId: "a", type: "public-key", response: {} }]) {
		const { ticket } = await sendJson(ada, "/bureau/mon-acces/cle", {});
		expect(await sendJson(ada, "/bureau/mon-acces/cle", { ticket, response })).toMatchObject({ ok: false });
		expect(await sendJson(browser, "/bureau/connexion/cle", { ticket, response })).toMatchObject({ status: 401 });
	}
	const response = createAuthenticator(shop.shop.environment.deskUrl).signIn("x");
	expect(await sendJson(browser, "/bureau/connexion/cle", { ticket: "\0", response })).toMatchObject({ status: 401 });
	for (const body of [null, [], "", { ticket: 1 }])
		expect(await sendJson(browser, "/bureau/connexion/cle", body)).toMatchObject({ status: 200, ticket: expect.any(String) });
});

test("an operator is told of a new password and of new recovery codes, not of refused ones", async () => {
	const eve = await createOperator(shop, "Eve", ["serve"]);
	const change = (fields: Record<string, string>) => eve.post("/bureau/mon-acces", fields);
	await change({ do: "new-codes", current: "pas le bon" });
	await change({ do: "new-codes", current: eve.password });
	await change({ do: "change-password", current: "pas le bon", next: "une autre longue phrase" });
	await change({ do: "change-password", current: eve.password, next: "une autre longue phrase" });
	const [codes] = await untilMails(eve.email, "Vos codes de secours ont été remplacés", 1);
	const [password] = await untilMails(eve.email, "Votre mot de passe a été changé", 1);
	for (const mail of [codes, password]) expect(mail?.text).not.toMatch(/longue phrase|^\w{5}-\w{5}$/m);
});

test("an operator is told when an invitation replaced their access, and nobody at the first one", async () => {
	const kim = await createOperator(shop, "Kim", ["serve"]);
	await createOperator(shop, "Kim", ["serve"]);
	await untilMails(kim.email, replaced, 1);
	await untilMails(ada.email, replaced, 0);
});
