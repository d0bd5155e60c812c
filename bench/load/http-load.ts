import { connect, type Socket } from "node:net";
import { parseArgs } from "node:util";

/**
 * A program of its own: keeps some connections busy for some seconds and prints how many answers came, how
 * long they took, and how many were not what was asked for. `MADEUP` in the address is another word each time.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "10" },
    cookie: { type: "string", default: "" },
    /** So many a second at most, of all connections together. */
    perSecond: { type: "string", default: "0" },
  },
});
const { hostname, port, pathname, search, host } = new URL(values.url ?? "");
const lines = [
  `GET ${pathname}${search} HTTP/1.1`,
  `host: ${host}`,
  "accept: text/html",
  "accept-encoding: br",
  ...(values.cookie ? [`cookie: ${values.cookie}`] : []),
];
const question = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
const isMadeUp = question.includes("MADEUP");
const started = performance.now();
const msBetween = Number(values.perSecond) > 0 ? 1000 / Number(values.perSecond) : 0;
let sent = 0;
const deadline = performance.now() + Number(values.seconds) * 1000;
const tookMs: number[] = [];
let wrong = 0;

await Promise.all(Array.from({ length: Number(values.connections) }, askAgainAndAgain));
tookMs.sort((a, b) => a - b);
const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? 0;
console.log(
  JSON.stringify({
    perSecond: tookMs.length / Number(values.seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    wrong,
  }),
);

function askAgainAndAgain(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setNoDelay();
    let asked = 0;
    const ask = () => {
      asked = performance.now();
      socket.write(nextQuestion());
    };
    const askInTurn = () => {
      sent += 1;
      const waitMs = started + sent * msBetween - performance.now();
      if (waitMs > 1) setTimeout(ask, waitMs);
      else ask();
    };
    const answered = (status: number) => {
      tookMs.push(performance.now() - asked);
      if (status !== 200) wrong += 1;
      if (performance.now() < deadline) return askInTurn();
      socket.destroy();
      resolve();
    };
    readAnswers(socket, answered);
    socket.on("error", reject).on("connect", askInTurn);
    socket.on("close", () => resolve());
  });
}

function nextQuestion(): Buffer | string {
  if (!isMadeUp) return question;
  const word = `${sent}x${Math.random().toString(36).slice(2)}`;
  return question.toString().replace("MADEUP", word);
}

/** Tells where each answer ends: by its length, or by its last chunk. */
function readAnswers(socket: Socket, answered: (status: number) => void): void {
  let got = "";
  let end = 0;
  socket.on("data", (bytes: Buffer) => {
    got += bytes.toString("latin1");
    end ||= endOf(got);
    if (end < 0 ? !got.endsWith("\r\n0\r\n\r\n") : end === 0 || got.length < end) return;
    const status = Number(got.slice(9, 12));
    [got, end] = ["", 0];
    answered(status);
  });
}

/** How long the answer is that begins like this; 0 while that is not known, -1 when its last chunk tells. */
function endOf(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return 0;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head)) ?? [];
  return length === undefined ? -1 : head + 4 + Number(length);
}
