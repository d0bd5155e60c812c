import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { type App, appContext, requestContext } from "#server/app-context.ts";
import { openLog } from "#server/platform/log/log.ts";
import { TooManyAttempts } from "#server/platform/rate-limit.ts";
import { noteRefusal } from "./note-refusal.ts";

const lines: Array<Record<string, unknown>> = [];
const log = openLog("info", { write: (line) => lines.push(JSON.parse(line)) });
const context = new RouterContextProvider();
context.set(appContext, { log } as unknown as App);
context.set(requestContext, {
  requestId: "the request",
  nonce: "",
  clientAddress: "192.0.2.1",
  failure: null,
});

test.each([
  ["a wrong password", new Refusal("identity/sign-in-failed"), "identity/sign-in-failed"],
  ["too many attempts", new TooManyAttempts(new Date()), "platform/too-many-attempts"],
])("%s is in the log, with the request and nobody's name or address", (_, error, refusal) => {
  lines.length = 0;
  noteRefusal(context, error);
  const [{ time, level, ...line } = {}, ...more] = lines;
  expect(line).toEqual({ requestId: "the request", refusal, msg: "authentication refused" });
  expect(more).toEqual([]);
});

test("an error is left to whoever logs errors", () => {
  lines.length = 0;
  noteRefusal(context, new Error("broken"));
  expect(lines).toEqual([]);
});
