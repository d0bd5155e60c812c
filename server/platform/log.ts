import { pino } from "pino";
import type { LogLevel } from "./config.ts";

export type Log = ReturnType<typeof openLog>;

/** Opens the structured log. What could name a person or open a door is cut out, wherever it stands. */
export function openLog(level: LogLevel) {
  const secret = [
    "email",
    "to",
    "password",
    "token",
    "url",
    "cookie",
    "authorization",
    "firstName",
    "lastName",
  ];
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...secret, ...secret.map((key) => `*.${key}`)], censor: "[cut]" },
  });
}
