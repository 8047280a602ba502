import { expect, test } from "vitest";
import { describeAvailability, describeIncident, formatDuration, formatShare, formatSince } from "./status-labels.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");
const incident = (from: string, until: string | null) =>
	plain(describeIncident({ part: "payment", from: new Date(from), until: until === null ? null : new Date(until) }));
const availability = (checks: number, failed: number, missing: number, begunAt: Date | null = null) =>
	plain(describeAvailability({ days: Array.from({ length: 90 }, () => "ok"), checks, failed, missing }, begunAt));

test.each([
	[8637, 8640, "99,96 %"],
	[25_919, 25_920, "99,99 %"],
	[999_999, 1_000_000, "99,99 %"],
	[25_920, 25_920, "100 %"],
	[199, 200, "99,50 %"],
	[1, 3, "33,33 %"],
	[1, 25_920, "moins de 0,01 %"],
	[0, 12, "0 %"],
])("%i of %i is %s: only a complete share is 100 %%", (part, whole, share) => {
	expect(plain(formatShare(part, whole))).toBe(share);
});

test("an availability is described with its missing measures", () => {
	expect(availability(8640, 3, 12)).toBe(
		"Disponible lors de 8 637 des 8 640 contrôles des 90 derniers jours (99,96 %) ; 12 contrôles n’ont pas eu lieu.",
	);
	expect(availability(576, 0, 0, new Date("2026-11-19T08:00:00Z"))).toBe(
		"Disponible lors des 576 contrôles faits depuis le 19 novembre 2026 (100 %).",
	);
	expect(availability(12, 12, 1)).toBe(
		"Disponible lors d’aucun des 12 contrôles des 90 derniers jours (0 %) ; 1 contrôle n’a pas eu lieu.",
	);
	expect(availability(2, 1, 0)).toBe("Disponible lors d’un seul des 2 contrôles des 90 derniers jours (50,00 %).");
	expect(availability(1, 0, 0)).toBe("Disponible lors du seul contrôle enregistré.");
	expect(availability(1, 1, 0)).toBe("Indisponible lors du seul contrôle enregistré.");
	expect(availability(0, 0, 0)).toBe("Aucun contrôle enregistré pour l’instant.");
});

test("an incident is described with its start, its end and its duration, in Paris time", () => {
	expect(incident("2026-11-21T13:05:00Z", "2026-11-21T13:20:00Z")).toBe("du 21 novembre 2026 à 14 h 05 à 14 h 20, 15 min");
	expect(incident("2026-11-30T22:50:00Z", "2026-11-30T23:10:00Z")).toBe(
		"du 30 novembre 2026 à 23 h 50 au 1er décembre 2026 à 0 h 10, 20 min",
	);
	expect(incident("2026-11-21T13:00:00Z", null)).toBe("depuis le 21 novembre 2026 à 14 h, en cours");
});

test("incidents across the repeated hour and the skipped hour", () => {
	expect(incident("2026-10-25T00:55:00Z", "2026-10-25T01:10:00Z")).toBe(
		"du 25 octobre 2026 à 2 h 55 (heure d’été) à 2 h 10 (heure d’hiver), 15 min",
	);
	expect(incident("2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z")).toBe("du 25 octobre 2026 à 1 h 30 à 3 h 30, 3 h");
	expect(incident("2026-03-29T00:55:00Z", "2026-03-29T01:05:00Z")).toBe("du 29 mars 2026 à 1 h 55 à 3 h 05, 10 min");
});

test("durations", () => {
	const minutes = (count: number) => plain(formatDuration(count * 60_000));
	expect([0, 5, 60, 65, 1440, 1441, 4500].map(minutes)).toEqual([
		"moins d’une minute",
		"5 min",
		"1 h",
		"1 h 05 min",
		"1 jour",
		"1 jour 01 min",
		"3 jours 3 h",
	]);
});

test("formatSince gives the hour today, and the day before", () => {
	const now = new Date("2026-11-21T22:30:00Z");
	expect(plain(formatSince(new Date("2026-11-20T23:05:00Z"), now))).toBe("0 h 05");
	expect(plain(formatSince(new Date("2026-11-20T22:05:00Z"), now))).toBe("le 20 novembre 2026 à 23 h 05");
});
