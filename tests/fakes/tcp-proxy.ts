import { connect, createServer, type Socket } from "node:net";

type State = "open" | "cut" | "hole" | "mute";

/** A line between two programs that can be cut, or swallow everything, and be mended. */
export interface TcpProxy {
  port: number;
  /**
   * `open` passes bytes, `cut` closes and refuses connections, `hole` swallows everything on connections old and new, `mute` only
   * what is answered.
   */
  set(state: State): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let state: State = "open";
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((near) => {
    track(near);
    if (state === "cut") return void near.destroy();
    if (state === "hole") return void near.resume();
    const far = connect(target);
    track(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => {
        if (state === "open" || (state === "mute" && from === near)) to.write(bytes);
      });
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    set(next) {
      state = next;
      if (next === "cut") drop();
    },
    async stop() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
