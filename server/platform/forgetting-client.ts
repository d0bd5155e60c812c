import pg from "pg";

type Question = string | pg.QueryConfig | pg.Submittable;
type Answered = (error: Error | null, result: pg.QueryResult) => void;

const Client = pg.Client as unknown as new (
  config: pg.ClientConfig,
) => Omit<pg.Client, "query"> & {
  query(question: Question, values?: unknown, answered?: Answered): unknown;
};

/**
 * A connection whose answers are forgotten once they are read. A function that is written in an assignment to a property, V8 takes for
 * a method, and keeps it, with all it can reach, until it looks through all memory. That is how pg makes the promise of a
 * question that comes without a callback; a function that it is given leaves no trace.
 */
export class ForgettingClient extends Client {
  override query(question: Question, values?: unknown, answered?: Answered): unknown {
    const isPlain =
      typeof question === "string" ||
      !(question && ("submit" in question || "callback" in question));
    return isPlain && !answered && typeof values !== "function"
      ? this.#ask(question, values)
      : super.query(question, values, answered);
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
