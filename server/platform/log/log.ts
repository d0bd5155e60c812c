import { pino } from "pino";
import type { LogLevel } from "../config.ts";
import { type LogOutput, openLogOutput } from "./log-output.ts";

export type Log = ReturnType<typeof openLog>;

/** Fields that could name a person or open a door. */
const secrets = [
  ...["email", "to", "password", "token", "url", "cookie", "authorization"],
  ...["firstName", "lastName", "payload"],
];

/** Opens the structured log. Secrets are cut out, and errors say what broke without the values they met. */
export function openLog(level: LogLevel, destination?: { write(line: string): void }) {
  const options = {
    level,
    base: null,
    timestamp: timeOfLine,
    redact: { paths: [...secrets, ...secrets.map((key) => `*.${key}`)], censor: "[cut]" },
    serializers: { err: describeError },
  };
  const to = destination ?? standardOutput();
  // What is said of a request (server/web.ts) is a few plain facts: to look for secrets among them takes longer than all else.
  return Object.assign(pino(options, to), {
    requests: pino({ ...options, redact: [] }, to),
    /** What could not be written on standard output. */
    lost: () => (opened ?? nothingLost).lost(),
  });
}

let written = { at: 0, text: "" };

/** ISO 8601 in UTC. On a busy site many lines fall into one millisecond: it is written out once for them. */
function timeOfLine(): string {
  const at = Date.now();
  if (at !== written.at) written = { at, text: `,"time":"${new Date(at).toISOString()}"` };
  return written.text;
}

const nothingLost = { lost: () => ({ lines: 0, failing: null as string | null }) };
let opened: LogOutput | undefined;

function standardOutput(): LogOutput {
  if (opened) return opened;
  const output = openLogOutput();
  process.once("exit", () => output.end());
  opened = output;
  return output;
}

interface ErrorFacts {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  at: string[];
  cause?: ErrorFacts;
}

/**
 * What may be written down of an error. Drizzle puts a query's parameters into its message and PostgreSQL
 * quotes the value that it refused; both are what somebody typed.
 */
function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: "not an error", at: [] };
  const { code, constraint, cause } = error as Error & { code?: string; constraint?: string };
  return {
    type: error.constructor.name,
    message: withoutValues(error.message),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    at: (error.stack ?? "")
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .map((line) => line.trim()),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

function withoutValues(message: string): string {
  return message
    .replace(/\nparams: [\s\S]*$/, "")
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/[^\s@]+@[^\s@]+/g, "…@…");
}
