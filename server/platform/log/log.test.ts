import { expect, test } from "vitest";
import { openLog } from "./log.ts";

function written(write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = [];
  write(openLog("info", { write: (line) => lines.push(line) }));
  return lines.join("");
}

test("cuts what names a person or opens a door, at the top and one level down", () => {
  const text = written((log) =>
    log.info({ email: "ada@example.com", mail: { token: "t0k3n" } }, "sent"),
  );
  expect(text).not.toMatch(/ada|t0k3n/);
  expect(text).toContain("sent");
});

test("says where a query failed, never with which values", () => {
  const cause = Object.assign(new Error('duplicate key value: "ada@example.com"'), {
    code: "23505",
    constraint: "one_user_per_email",
    detail: "Key (email)=(ada@example.com) already exists.",
  });
  const error = new Error("Failed query: insert into users\nparams: ada@example.com,hunter22", {
    cause,
  });
  const text = written((log) => log.error({ err: error }, "request failed"));
  expect(text).not.toMatch(/ada|hunter22/);
  expect(text).toContain("one_user_per_email");
  expect(text).toContain("log.test.ts");
});

test("what is said of a request stands among the rest, at the same level", () => {
  const text = written((log) => {
    log.info("before");
    log.requests.info({ path: "/login", status: 200 }, "request");
    log.requests.debug("too small");
  });
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["before", "request"]);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ path: "/login", status: 200 });
});
