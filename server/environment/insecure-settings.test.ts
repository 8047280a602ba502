import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { findInsecureSettings } from "./insecure-settings.ts";

type Settings = Parameters<typeof findInsecureSettings>[0];

const s3 = "https://s3.example.fr";
const remote = "postgres://shop:hunter2@db.example.fr/shop";

test.each<[Settings, string]>([
	[{ S3_ENDPOINT: "http://s3.example.fr" }, "S3_ENDPOINT is plain http"],
	[{ ADDRESS_API_URL: "http://10.0.0.7/search" }, "ADDRESS_API_URL is plain http"],
	[{ INSEE_API_BASE: "http://127.0.0.1.example.fr" }, "INSEE_API_BASE is plain http"],
	[{ BODACC_API_BASE: "http://bodacc.example.fr" }, "BODACC_API_BASE is plain http"],
	[{ STRIPE_API_BASE: "http://localhost.example.fr", STRIPE_SECRET_KEY: "sk_test_1" }, "STRIPE_API_BASE is plain http"],
	[{ STRIPE_API_BASE: s3, STRIPE_SECRET_KEY: "sk_live_1" }, "STRIPE_API_BASE is set beside a live key"],
	[{ STRIPE_API_BASE: "http://127.0.0.1:1", STRIPE_SECRET_KEY: "rk_live_1" }, "STRIPE_API_BASE is set beside a live key"],
	[{ SMTP_URL: "smtp://shop:hunter2@smtp.example.fr" }, "SMTP_URL is smtp without requireTLS=true"],
	[{ SMTP_URL: "smtp://smtp.example.fr?requireTLS=false" }, "SMTP_URL is smtp without requireTLS=true"],
	[{ SMTP_URL: "smtps://smtp.example.fr?tls.rejectUnauthorized=false" }, "SMTP_URL accepts any certificate"],
	[{ SMTP_URL: "smtp://smtp.example.fr?requireTLS=true&tls.rejectUnauthorized=0" }, "SMTP_URL accepts any certificate"],
	[{ SMTP_URL: "smtp://" }, "SMTP_URL is"],
	[{ DATABASE_URL: remote }, "DATABASE_URL is a database on another machine without TLS"],
	[{ DATABASE_READ_URL: remote }, "DATABASE_READ_URL is a database on another machine without TLS"],
	// one of several hosts
	[{ DATABASE_URL: "postgres://shop:hunter2@db.example.fr,localhost/shop" }, "DATABASE_URL is a database on another machine without TLS"],
	[{ DATABASE_URL: `${remote}?sslmode=disable` }, "DATABASE_URL is a database on another machine without TLS"],
	[{ DATABASE_URL: `${remote}?sslmode=no-verify` }, "DATABASE_URL accepts another machine’s certificate"],
	[{ DATABASE_URL: `${remote}?ssl=no-verify` }, "DATABASE_URL accepts another machine’s certificate"],
	[{ DATABASE_URL: `${remote}?uselibpqcompat=true&sslmode=require` }, "DATABASE_URL accepts another machine’s certificate"],
	[{ DATABASE_URL: "postgres:///shop?host=db.example.fr" }, "DATABASE_URL is a database on another machine without TLS"],
	// libpq's verify-ca checks the signature of the certificate, not its host
	[
		{ DATABASE_URL: `${remote}?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${import.meta.filename}` },
		"DATABASE_URL accepts another machine’s certificate",
	],
	[{ S3_ENDPOINT: "http://[::2]:9000" }, "S3_ENDPOINT is plain http"],
	// what listens on loopback may send everything on in clear
	[{ DATABASE_URL: "postgres://shop:hunter2@127.0.0.1:5000/shop" }, "DATABASE_URL is a TCP connection without TLS"],
	[{ DATABASE_URL: "postgres://shop:hunter2@localhost/shop" }, "DATABASE_URL is a TCP connection without TLS"],
	[{ DATABASE_READ_URL: "postgres://shop:hunter2@[::1]:5433/shop" }, "DATABASE_READ_URL is a TCP connection without TLS"],
	[{ DATABASE_URL: "postgres://shop:hunter2@localhost/shop?sslmode=no-verify" }, "DATABASE_URL accepts another machine’s certificate"],
])("production refuses %o", (settings, sentence) => {
	const problems = findInsecureSettings(settings, {});
	expect(problems).toEqual([expect.stringContaining(sentence)]);
	expect(problems[0]).toMatch(/Example: \S/);
	expect(problems[0]).not.toContain("hunter2");
});

test.each<Settings>([
	{ S3_ENDPOINT: s3, ADDRESS_API_URL: s3, INSEE_API_BASE: s3, BODACC_API_BASE: s3, STRIPE_API_BASE: s3, STRIPE_SECRET_KEY: "sk_test_1" },
	{ S3_ENDPOINT: "http://127.0.0.1:9000", ADDRESS_API_URL: "http://localhost:1", INSEE_API_BASE: "http://[::1]:1/sirene" },
	{ SMTP_URL: "smtps://shop:p%40ss@smtp.example.fr:465" },
	{ SMTP_URL: "smtp://shop:p%40ss@smtp.example.fr:587?requireTLS=true" },
	{ SMTP_URL: "smtp://127.0.0.1:1025" },
	{ DATABASE_URL: `${remote}?sslmode=verify-full`, DATABASE_READ_URL: `${remote}?sslmode=verify-full` },
	{ DATABASE_URL: "postgres://shop:hunter2@db1.example.fr,db2.example.fr/shop?sslmode=verify-full" },
	{
		DATABASE_URL: "postgres://shop@localhost/shop?sslmode=verify-full",
		DATABASE_READ_URL: "postgres://shop@[::1]/shop?sslmode=verify-full",
	},
	{ DATABASE_URL: "postgres://shop@localhost/shop?host=%2Fvar%2Frun%2Fpostgresql" },
	{ DATABASE_URL: "postgres://%2Fvar%2Frun%2Fpostgresql/shop" },
])("production accepts %o", (settings) => {
	expect(findInsecureSettings(settings, {})).toEqual([]);
});

test.each([
	["a".repeat(32), "different characters"],
	["0123456789abcdef0123456789abcdef", "repeats itself"],
	["Kx8vQ2mZ7rT4wY6nB3cD9fGh".repeat(2), "repeats itself"],
	["zyxwvutsrqponmlkjihgfedcba9876543210", "sequence"],
	["Kx8vQ2mZ7rT4wY6nB3cD9fGhj12345678", "sequence"],
	["Kx8vQ2mZ12345678rT4wY6nB3cD9fGhj", "sequence"],
	["0a1b2c3d44d3c2b1a00a1b2c3d4a0b1c", "fewer than 10 different characters"],
	["gqzKx8vQ2mZ7rT44Tr7Zm2Qv8xKzqggz", "fewer than 16 different characters"],
	["my-shop-password-is-well-hidden-21", "typed"],
	["Please-Change-Me-Before-Launch-2026", "typed"],
])("production refuses the secret %s", (secret, reason) => {
	const good = randomBytes(32).toString("base64url");
	for (const secrets of [[secret], [good, secret]])
		expect(findInsecureSettings({}, { APP_SECRET: secrets })).toEqual([
			expect.stringMatching(new RegExp(`^APP_SECRET has a part .*${reason}.*Example: `)),
		]);
});

test.each(["Kx8vQ2mZ1234567rT4wY6nB3cD9fGhjL", "0a1b2c3d44d3c2b1a00a1b2c3d4a0b15", "gqzKx8vQ2mZ7rT44Tr7Zm2Qv8xKzqggW"])(
	"production accepts the secret %s, which barely suffices",
	(secret) => {
		expect(findInsecureSettings({}, { APP_SECRET: [secret] })).toEqual([]);
	},
);

test("production accepts generated secrets", () => {
	const generated = Array.from({ length: 200 }, (_, i) => randomBytes(32).toString((["hex", "base64", "base64url"] as const)[i % 3]));
	expect(findInsecureSettings({}, { APP_SECRET: generated })).toEqual([]);
});
