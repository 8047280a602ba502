/** Starts the camera and reads bar codes and QR codes until it is stopped. */
export interface Scanner {
	stop(): void;
}

/** What browsers with the Barcode Detection API have (https://wicg.github.io/shape-detection-api/#barcode-detection-api). */
interface NativeDetector {
	detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare global {
	var BarcodeDetector: (new (options: { formats: string[] }) => NativeDetector) | undefined;
}

/** Labels of La Poste have Code 128 or Data Matrix; our sheets have a QR code. */
const formats = ["code_128", "code_39", "data_matrix", "qr_code"];

/** Milliseconds between two looks. */
const interval = 200;

/**
 * Shows the camera in `video` and calls back with each text that it reads, the same one once in a row.
 * @throws when there is no camera or it is not allowed.
 */
export async function startScanner(video: HTMLVideoElement, onText: (text: string) => void): Promise<Scanner> {
	let last = "";
	const report = (text: string) => {
		if (text === last) return;
		last = text;
		onText(text);
	};
	const Detector = globalThis.BarcodeDetector;
	return Detector ? startNative(new Detector({ formats }), video, report) : startLibrary(video, report);
}

async function startNative(detector: NativeDetector, video: HTMLVideoElement, report: (text: string) => void): Promise<Scanner> {
	const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
	video.srcObject = stream;
	await video.play();
	const timer = setInterval(() => {
		detector.detect(video).then(
			([code]) => {
				if (code) report(code.rawValue);
			},
			() => {}, // a frame that is not ready yet
		);
	}, interval);
	return {
		stop() {
			clearInterval(timer);
			for (const track of stream.getTracks()) track.stop();
		},
	};
}

/** For other browsers: the library is loaded now. */
async function startLibrary(video: HTMLVideoElement, report: (text: string) => void): Promise<Scanner> {
	const { BrowserMultiFormatReader } = await import("@zxing/browser");
	const reader = new BrowserMultiFormatReader(undefined, { delayBetweenScanAttempts: interval });
	const controls = await reader.decodeFromConstraints({ video: { facingMode: "environment" } }, video, (result) => {
		if (result) report(result.getText());
	});
	return { stop: () => controls.stop() };
}
