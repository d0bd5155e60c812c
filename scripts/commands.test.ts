import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

// npm passes SIGTERM to the shell that it runs a script in. A shell that stays in between ends by it and
// leaves the product running: on its port, with its PostgreSQL, and without npm.
test.each(Object.entries(scripts))(
  "npm run %s puts the product in the shell's place",
  (name, line) => {
    expect(line).toBe(`exec node scripts/run.mjs ${name}`);
  },
);
