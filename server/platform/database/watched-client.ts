import { Socket } from "node:net";
import pg from "pg";

/** Longer than PostgreSQL gives any statement (`statement_timeout`), unless a transaction asks for more. */
export const answersWithinMs = 17_000;

/**
 * A connection that ends when PostgreSQL does not answer in time, because a network that swallows what is sent says nothing.
 * What was asked last may have been done all the same, even a COMMIT: it is never asked again from here.
 */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  /** How many of the bytes that were sent are answered. */
  #answered = 0;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    const answered = () => {
      this.#answered = socket.bytesWritten;
    };
    this.on("connect", answered);
    // Every question has its answer.
    this.on("drain", answered);
    socket.on("timeout", () => {
      if (socket.bytesWritten === this.#answered) return;
      const silence = new Error("PostgreSQL does not answer");
      socket.destroy(Object.assign(silence, { code: "ETIMEDOUT" }));
    });
    this.waitForAnswers(answersWithinMs);
  }

  /** Allows this much time without a byte in either direction while an answer is missing. */
  waitForAnswers(withinMs: number): void {
    this.#socket.setTimeout(withinMs);
  }
}
