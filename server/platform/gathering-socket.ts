import { Socket } from "node:net";

/**
 * A socket that sends what was held together (`cork`) in one turn of the event loop at that turn's end, in one piece: a statement that
 * reaches PostgreSQL by itself wakes its process, which costs both sides more than to have it in hand.
 *
 * It is `uncork` that waits, not `write`: connecting a socket gives it back Node's own `write`.
 */
export class GatheringSocket extends Socket {
  #waiting = 0;

  override uncork(): void {
    this.#waiting += 1;
    if (this.#waiting === 1) process.nextTick(() => this.#sendAll());
  }

  #sendAll(): void {
    for (; this.#waiting > 0; this.#waiting -= 1) super.uncork();
  }
}
