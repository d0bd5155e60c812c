import { Socket } from "node:net";

/**
 * A socket that sends at once what is written to it in one turn of the event loop: a statement that reaches PostgreSQL by itself
 * wakes its process, which costs both sides more than to have it in hand.
 */
export class GatheringSocket extends Socket {
  #gathers = false;

  override write(...given: unknown[]): boolean {
    if (!this.#gathers) {
      this.#gathers = true;
      this.cork();
      process.nextTick(() => {
        this.#gathers = false;
        this.uncork();
      });
    }
    return super.write(...(given as Parameters<Socket["write"]>));
  }
}
