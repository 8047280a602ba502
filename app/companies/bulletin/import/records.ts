import { isJsonObject, type JsonObject } from "../../../../server/files/json-records.ts";

const nothing: JsonObject = {};

/** Returns an object that may be written as JSON in a string, as the bulletin does; an empty one for anything else, such as broken JSON. */
export function asObject(value: unknown): JsonObject {
	const parsed = parseText(value);
	return isJsonObject(parsed) ? parsed : nothing;
}

/** The same for an object or a list of objects; what else a list holds is left out. */
export function asObjects(value: unknown): JsonObject[] {
	const parsed = parseText(value);
	return (Array.isArray(parsed) ? parsed : [parsed]).map(asObject).filter((object) => object !== nothing);
}

/** Returns a field as text; null for a missing one, and for objects and lists. Some copies have numbers where the bulletin has texts. */
export function readText(object: JsonObject, field: string): string | null {
	const value = object[field];
	if (typeof value === "string") return value;
	return typeof value === "number" ? String(value) : null;
}

function parseText(value: unknown): unknown {
	if (typeof value !== "string") return value;
	if (!/^\s*[{[]/.test(value)) return null;
	try {
		return JSON.parse(value);
	} catch {
		return null;
	}
}
