import pg from "pg";

type Question = string | pg.QueryConfig | pg.Submittable;
type Answered = (error: Error | null, result: pg.QueryResult) => void;

const Client = pg.Client as unknown as new (
  config: pg.ClientConfig,
) => Omit<pg.Client, "query"> & {
  query(question: Question, values?: unknown, answered?: Answered): unknown;
};

/**
 * A connection whose answers are forgotten once they are read. V8 takes a function that is assigned to a property for a method,
 * and keeps it, with all it can reach, until it looks through all memory. That is how pg makes a promise for a question;
 * a function that it is given leaves no trace.
 */
export class ForgettingClient extends Client {
  override query(question: Question, values?: unknown, answered?: Answered): unknown {
    const asPromised =
      !answered &&
      typeof values !== "function" &&
      (typeof question === "string" || !("submit" in question));
    return asPromised ? this.#ask(question, values) : super.query(question, values, answered);
  }

  async #ask(question: Question, values: unknown): Promise<pg.QueryResult> {
    try {
      return await new Promise((resolve, reject) => {
        super.query(question, values, (error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      // Where the answer came in says nothing: where it was asked does.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
