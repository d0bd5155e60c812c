import { Refusal } from "#core/refusal.ts";

/** A room's list: what PostgreSQL declines by a constraint's name, as the code of a refusal. */
export type Refusals = Readonly<Record<string, string>>;

/** Runs a write; what PostgreSQL declines by a listed constraint is thrown as that refusal. */
export async function refusedBy<T>(refusals: Refusals, write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw refusalBehind(refusals, error) ?? error;
  }
}

/** The refusal that a database error stands for; undefined when its constraint is not listed. */
export function refusalBehind(refusals: Refusals, error: unknown): Refusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const constraint = "constraint" in cause ? cause.constraint : undefined;
    if (typeof constraint === "string" && Object.hasOwn(refusals, constraint)) {
      return new Refusal(refusals[constraint] as string);
    }
  }
  return undefined;
}
