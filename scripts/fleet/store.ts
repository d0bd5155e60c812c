// The S3-compatible store of a fleet: `store.ts FOLDER PORT`.
import { mkdirSync } from "node:fs";
import { startFakeS3 } from "../../tests/fakes/s3.ts";
import { runUntilStopped } from "../run-until-stopped.ts";

const [directory = "", port = ""] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
await runUntilStopped(() => startFakeS3({ directory, port: Number(port) }));
