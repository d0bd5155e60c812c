import { Refusal } from "#core/refusal.ts";

/** Runs a write, and says what PostgreSQL declines by the names of its constraints as listed refusals. */
export async function refusedBy<T>(
  refusals: Readonly<Record<string, string>>,
  write: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const constraint = "constraint" in cause ? cause.constraint : undefined;
      const code = typeof constraint === "string" ? refusals[constraint] : undefined;
      if (code) throw new Refusal(code);
    }
    throw error;
  }
}
