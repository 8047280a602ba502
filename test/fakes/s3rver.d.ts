/** The part of s3rver that the fake uses; it has no types. */
declare module "s3rver" {
	export default class S3rver {
		constructor(options: {
			address: string;
			port: number;
			silent: boolean;
			directory: string;
			resetOnClose: boolean;
			configureBuckets: { name: string }[];
		});
		run(): Promise<{ address: string; port: number }>;
		close(): Promise<void>;
	}
}
