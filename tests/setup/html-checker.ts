import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { freePort } from "./free-port.ts";

export interface HtmlChecker {
  /** What is wrong with a page, each with the place where it is. */
  faultsOf(page: string): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * The W3C's own checker of HTML (vnu) on a port of its own: https://validator.github.io/validator/. It needs a Java runtime,
 * which `npm test` sees to.
 */
export async function startHtmlChecker(): Promise<HtmlChecker> {
  const jar: string = createRequire(import.meta.url)("vnu-jar");
  const port = await freePort();
  // It checks a hundred pages: what compiles and collects in threads of its own would be half of its work.
  const machine = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
  const options = [...machine, "-Dnu.validator.servlet.bind-address=127.0.0.1", "-cp", jar];
  // By the machine's own clock: with libfaketime's a Java runtime waits busily, on a processor of its own.
  const { LD_PRELOAD: _, FAKETIME: __, ...env } = process.env;
  const checker = spawn("java", [...options, "nu.validator.servlet.Main", String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  const ended = once(checker, "exit");
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("started at")) resolve();
    };
    checker.stdout.on("data", listen);
    checker.stderr.on("data", listen);
    checker.once("error", reject);
    void ended.then(() => reject(new Error(`the HTML checker ended: ${said}`)));
  });
  return {
    async faultsOf(page) {
      const answer = await fetch(`http://127.0.0.1:${port}/?out=json`, {
        method: "POST",
        headers: { "content-type": "text/html; charset=utf-8" },
        body: page,
      });
      const { messages } = (await answer.json()) as { messages: Message[] };
      const faults = messages.filter(
        ({ type, message }) => type !== "info" && !notYetKnown.some((known) => known.test(message)),
      );
      return faults.map(({ message, extract = "" }) => `${message} (${extract.trim()})`);
    },
    async stop() {
      checker.kill();
      await ended;
    },
  };
}

/** What this version of the checker does not know: style newer than its own, and groups of details (HTML since 2023). */
const notYetKnown = [/^CSS: /, /^Attribute “name” not allowed on element “details”/];

interface Message {
  type: "error" | "info" | "non-document-error";
  message: string;
  extract?: string;
}
