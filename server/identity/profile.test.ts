import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { changePhrase } from "./change-phrase.ts";
import { markOf } from "./settings.ts";

const { db, owner } = await testDatabase();
const browser = { ipAddress: "192.0.2.1", userAgent: "test" };

test("a phrase is one short line, whoever writes it", async () => {
  const ada = await createTestCustomer(db);
  const insert =
    "insert into mail_phrases (user_id, recipient, phrase, changed_at) values ($1, $2, $3, now())";
  for (const phrase of ["", " a", "a\nb", "a\u2028b", "a\u202Eb", "x".repeat(61)]) {
    await expect(
      owner.query(insert, [ada.id, ada.email, phrase]),
      JSON.stringify(phrase),
    ).rejects.toThrow("phrases_are_one_short_line");
  }
  await changePhrase(db, {
    userId: ada.id,
    phrase: "blue heron",
    seen: markOf({ phrase: null }),
    browser,
    now: new Date(),
  });
});
