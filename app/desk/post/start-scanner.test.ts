import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startScanner } from "./start-scanner.ts";

const zxing = vi.hoisted(() => ({ options: {} as object, onResult: (_?: { getText: () => string }) => {}, stop: vi.fn() }));
vi.mock("@zxing/browser", () => ({
	BrowserMultiFormatReader: class {
		constructor(_: unknown, options: object) {
			zxing.options = options;
		}
		decodeFromConstraints(constraints: object, _: unknown, onResult: typeof zxing.onResult) {
			zxing.options = { ...zxing.options, ...constraints };
			zxing.onResult = onResult;
			return { stop: zxing.stop };
		}
	},
}));
beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

test("a browser that reads codes itself looks five times a second, reports each text once in a row, and lets the camera go", async () => {
	const frames: (string | null | Error)[] = ["A", "A", null, new Error("not ready"), "B", "A", "C"];
	const formats: object[] = [];
	class BarcodeDetector {
		constructor(options: object) {
			formats.push(options);
		}
		async detect() {
			const frame = frames.shift();
			if (frame instanceof Error) throw frame;
			return frame ? [{ rawValue: frame }] : [];
		}
	}
	const tracks = [{ stop: vi.fn() }, { stop: vi.fn() }];
	const stream = { getTracks: () => tracks };
	const asked: object[] = [];
	const getUserMedia = async (constraints: object) => {
		asked.push(constraints);
		return stream;
	};
	vi.stubGlobal("BarcodeDetector", BarcodeDetector);
	vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
	const video = { srcObject: null, play: vi.fn() };
	const texts: string[] = [];
	const scanner = await startScanner(video as unknown as HTMLVideoElement, (text) => texts.push(text));
	expect(formats).toEqual([{ formats: ["code_128", "code_39", "data_matrix", "qr_code"] }]);
	expect(asked).toEqual([{ video: { facingMode: "environment" } }]);
	expect([video.srcObject, video.play.mock.calls.length]).toEqual([stream, 1]);
	await vi.advanceTimersByTimeAsync(6 * 200);
	expect(texts).toEqual(["A", "B", "A"]);
	scanner.stop();
	await vi.advanceTimersByTimeAsync(1000);
	expect(texts).toEqual(["A", "B", "A"]);
	for (const { stop } of tracks) expect(stop).toHaveBeenCalledOnce();
});

test("another browser reads with the library", async () => {
	const texts: string[] = [];
	const scanner = await startScanner({} as HTMLVideoElement, (text) => texts.push(text));
	expect(zxing.options).toEqual({ delayBetweenScanAttempts: 200, video: { facingMode: "environment" } });
	for (const text of ["A", undefined, "A", "B"]) zxing.onResult(text === undefined ? undefined : { getText: () => text });
	expect(texts).toEqual(["A", "B"]);
	scanner.stop();
	expect(zxing.stop).toHaveBeenCalledOnce();
});
