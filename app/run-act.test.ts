import { expect, test } from "vitest";
import { Refusal } from "#core/refusal.ts";
import { errorsOf, notFound, runAct, sayFrom } from "./run-act.ts";

const say = sayFrom({
  "a/plain": "A plain text.",
  "a/field": { field: "amount", text: "At a field.", status: 409 },
  "a/gone": notFound,
});
const refused = ({ text }: { text: string }) => ({ text });
const refuse = (code: string) => () => Promise.reject(new Refusal(code));

test("what was done leads on, with a toast and the session's cookies", async () => {
  const done = { to: "/account", say: "message-sent", cookies: ["session=1"] } as const;
  const answer = await runAct(async () => ({ ...done, cookies: [...done.cookies] }), refused, say);
  if (!(answer instanceof Response)) throw new Error("a redirect is a response");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/account"]);
  expect(answer.headers.getSetCookie()).toHaveLength(2);
});

test.each([
  ["a/plain", 400, "A plain text."],
  ["a/field", 409, "At a field."],
])("%s is answered with %s and its text, never with success", async (code, status, text) => {
  const answer = await runAct(refuse(code), refused, say);
  expect(answer).toMatchObject({ data: { text }, init: { status } });
});

test("a refusal without a text, and any other error, is thrown on: it is a fault of ours", async () => {
  for (const code of ["a/unknown", "toString", "__proto__", "ledger/unbalanced"]) {
    await expect(runAct(refuse(code), refused, say), code).rejects.toMatchObject({ code });
  }
  const broken = () => Promise.reject(new Error("duplicate key violates one_user_per_email"));
  await expect(runAct(broken, refused, say)).rejects.toThrow("duplicate key");
});

test("what is not there is the page that is not there, without a word of the form", async () => {
  await expect(runAct(refuse("a/gone"), refused, say)).rejects.toMatchObject({
    data: null,
    init: { status: 404 },
  });
});

test("a text for a field that the form does not have is shown at its head", () => {
  const said = { status: 400, text: "Too much.", field: "amount" };
  expect(errorsOf(said, new Set(["amount"]))).toEqual({ fieldErrors: { amount: ["Too much."] } });
  expect(errorsOf(said, new Set(["reason"]))).toEqual({ formErrors: ["Too much."] });
});
