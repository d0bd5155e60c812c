import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, most of it waiting for programs that they start and kill; the longest first. */
const long = [
  "tests/start/fleet.test.ts",
  "tests/start/start.test.ts",
  "tests/start/web-processes.test.ts",
  "tests/start/restore.test.ts",
  "tests/access/access.test.ts",
  "server/backups/backups.test.ts",
  "tests/faults/database-outage.test.ts",
  "server/deposits/payments/unsettled-payments.test.ts",
  "tests/start/external-postgres.test.ts",
  "server/identity/sign-in/sign-in.test.ts",
  "server/backups/timelines.test.ts",
  "tests/faults/silent-database.test.ts",
  "app/site/proof/proof-page.test.ts",
  "server/platform/database/migrate.test.ts",
  "scripts/demo/fill-demo.test.ts",
  "server/deposits/payments/payments.test.ts",
  "server/deposits/payments/ethereum-payments.test.ts",
  "tests/faults/postgres-killed.test.ts",
  "server/worker.test.ts",
];

/** Begins with what would otherwise be waited for at the end, by one worker alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Who waits for the first failure only looks among the quick ones first.
    const side = this.ctx.config.bail ? -1 : 1;
    const place = ({ moduleId }: TestSpecification) => {
      const found = long.findIndex((name) => moduleId.endsWith(`/${name}`));
      return found < 0 ? long.length : found;
    };
    return sorted.toSorted((a, b) => side * (place(a) - place(b)));
  }
}
