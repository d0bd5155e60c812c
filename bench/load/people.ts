import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Whose it is, and the cookie that it is known by. */
export interface Browser {
  email: string;
  device: string;
}

/** Runs a program of this folder that puts load on something, and gives what it measured. */
export async function runLoad(
  program: string,
  settings: Record<string, string | number>,
): Promise<{ perSecond: number }> {
  const measured = await runProgram(program, settings);
  const refused = Object.entries<number>(measured.refused ?? {});
  if (refused.length > 0) {
    const told = refused.map(([words, times]) => `${times} times: ${words}`).join("; ");
    throw new Error(`sign-ins were refused, ${told}`);
  }
  return measured;
}

/** Runs a program of this folder to its end; returns what it prints, which is JSON. */
export async function runProgram(program: string, settings: Record<string, string | number>) {
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const file = path.join(import.meta.dirname, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return JSON.parse(stdout);
}

/** Registers customers, each by a browser that is known from then on. */
export async function register(url: string, count: number, password: string): Promise<Browser[]> {
  const browsers: Browser[] = [];
  for (let n = 0; n < count; n += 1) {
    const email = `customer-${n}@example.com`;
    const form = { firstName: "Ada", lastName: "Lovelace", email, password, acceptedTerms: "on" };
    const answer = await fetch(`${url}/signup`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, "x-forwarded-for": `192.0.2.${n}` },
      body: new URLSearchParams({ ...form, confirmPassword: password }),
    });
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
    const device = cookies.find((cookie) => cookie.includes("known_device="));
    if (answer.status !== 302 || !device) throw new Error(`registering ${email}: ${answer.status}`);
    browsers.push({ email, device });
  }
  return browsers;
}
