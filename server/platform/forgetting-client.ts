import type { Socket } from "node:net";
import pg from "pg";

type Question = string | pg.QueryConfig | pg.Submittable;
type Answered = (error: Error | null, result: pg.QueryResult) => void;

const Client = pg.Client as unknown as new (
  config: pg.ClientConfig,
) => Omit<pg.Client, "query"> & {
  query(question: Question, values?: unknown, answered?: Answered): unknown;
  /** Its socket, plain or with TLS. */
  connection: { stream: Socket };
};

/** Longer than PostgreSQL gives any statement of ours (`statement_timeout`), unless a transaction asks for more. */
export const answersWithinMs = 17_000;

/**
 * A connection whose answers are forgotten once they are read. A function that is written in an assignment to a property, V8 takes for
 * a method, and keeps it, with all it can reach, until it looks through all memory. That is how pg makes the promise of a
 * question that comes without a callback; a function that it is given leaves no trace.
 *
 * One that is not answered in time is ended: where the way to PostgreSQL swallows what is sent, nothing else would say so. What
 * was asked last may have been done all the same, a COMMIT too: it is never asked again from here.
 */
export class ForgettingClient extends Client {
  /** So long nothing may come while something is asked. */
  answersWithinMs = answersWithinMs;
  #unanswered = 0;
  #watched: Socket | undefined;

  override query(question: Question, values?: unknown, answered?: Answered): unknown {
    if (answered) {
      this.#expectAnswer();
      return super.query(question, values, (error, result) => {
        this.#gotAnswer();
        answered(error, result);
      });
    }
    const isPlain =
      typeof question === "string" ||
      !(question && ("submit" in question || "callback" in question));
    return isPlain && typeof values !== "function"
      ? this.#ask(question, values)
      : super.query(question, values);
  }

  async #ask(question: Question, values: unknown): Promise<pg.QueryResult> {
    this.#expectAnswer();
    try {
      return await new Promise((resolve, reject) => {
        super.query(question, values, (error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      // Where the answer came in says nothing: where it was asked does.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      this.#gotAnswer();
    }
  }

  #expectAnswer(): void {
    const { stream } = this.connection;
    if (this.#watched !== stream) {
      this.#watched = stream;
      stream.on("timeout", () => this.#endSilence(stream));
    }
    if (this.#unanswered === 0) stream.setTimeout(this.answersWithinMs);
    this.#unanswered += 1;
  }

  #gotAnswer(): void {
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.connection.stream.setTimeout(0);
  }

  #endSilence(stream: Socket): void {
    if (this.#unanswered === 0) return;
    stream.destroy(Object.assign(new Error("PostgreSQL does not answer"), { code: "ETIMEDOUT" }));
  }
}
