import { Agent, request } from "node:http";
import { parseArgs } from "node:util";

/**
 * A program of its own: signs people in by browsers that are known, so many at a time, for some seconds, each time from
 * another network, since each has its share of a waiting room and no more. Prints how many a second, counting only answers
 * that set a session, and what it was told instead, how often.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string", default: "" },
    /** JSON: whose each is, and the cookie that it is known by. */
    browsers: { type: "string", default: "[]" },
    password: { type: "string", default: "" },
    seconds: { type: "string", default: "4" },
    atATime: { type: "string", default: "20" },
  },
});
const browsers: { email: string; device: string }[] = JSON.parse(values.browsers);
const seconds = Number(values.seconds);
const agent = new Agent({ keepAlive: true });
const started = performance.now();
let asked = Math.floor(Math.random() * 2 ** 24);
let signedIn = 0;
const refused: Record<string, number> = {};
await Promise.all(Array.from({ length: Number(values.atATime) }, signInAgainAndAgain));
agent.destroy();
const perSecond = (signedIn * 1000) / (performance.now() - started);
console.log(JSON.stringify({ perSecond, refused }));

async function signInAgainAndAgain(): Promise<void> {
  while (performance.now() - started < seconds * 1000) {
    asked += 1;
    const refusal = await signIn(asked);
    if (refusal === null) signedIn += 1;
    else refused[refusal] = (refused[refusal] ?? 0) + 1;
  }
}

/** @returns what it was told instead, null when a session was opened */
function signIn(n: number): Promise<string | null> {
  const { email = "", device = "" } = browsers[n % browsers.length] ?? {};
  const body = new URLSearchParams({ email, password: values.password }).toString();
  const headers = {
    origin: values.url,
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    cookie: device,
    "x-forwarded-for": `10.${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${values.url}/login`, { method: "POST", agent, headers }, (answer) => {
      const cookies = answer.headers["set-cookie"] ?? [];
      const isSignedIn = cookies.some((cookie) => cookie.includes("session_token="));
      let page = "";
      if (isSignedIn) answer.resume();
      else answer.setEncoding("utf8").on("data", (part) => (page += part));
      answer.on("end", () => {
        const [, words = ""] = /role="alert"[^>]*>(.*?)<\/(?:div|section)>/s.exec(page) ?? [];
        const refusal = `${answer.statusCode} ${words.replace(/<[^>]+>/g, " ").trim()}`;
        resolve(isSignedIn ? null : refusal);
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
