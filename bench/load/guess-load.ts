import { Agent, request } from "node:http";
import { parseArgs } from "node:util";

/**
 * A program of its own: tries passwords at made-up accounts, so many at a time, each from a network of its own, for some
 * seconds, and prints how often each status was the answer.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string", default: "" },
    seconds: { type: "string", default: "30" },
    atATime: { type: "string", default: "100" },
  },
});
const agent = new Agent({ keepAlive: true });
const started = performance.now();
const answered: Record<string, number> = {};
await Promise.all(Array.from({ length: Number(values.atATime) }, (_, n) => guessAgainAndAgain(n)));
agent.destroy();
console.log(JSON.stringify(answered));

async function guessAgainAndAgain(network: number): Promise<void> {
  for (let n = 0; performance.now() - started < Number(values.seconds) * 1000; n += 1) {
    // From the next place of the network when one has tried as often as it may.
    const status = await guess(
      `10.${network}.0.${Math.floor(n / 90)}`,
      `${network}-${n}@example.org`,
    );
    answered[status] = (answered[status] ?? 0) + 1;
  }
}

function guess(place: string, email: string): Promise<number> {
  const body = new URLSearchParams({ email, password: "Summer of 2019" }).toString();
  const headers = {
    origin: values.url,
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    "x-forwarded-for": place,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${values.url}/login`, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
