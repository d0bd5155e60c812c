import { writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type Running, startServer } from "./children.ts";
import { asked, type LoadPlan, loadInTurn, reportLoads } from "./load-in-turn.ts";
import { findNginx, startNginx } from "./nginx.ts";
import { hold, skip } from "./table.ts";

/** The first page, beside others that return the same bytes. */
export async function compareRequests(url: string, folder: string, plan: LoadPlan): Promise<void> {
  const page = await saveBytes(url, folder);
  const bare = await startServer(["bench/load/serve-bytes.ts", page.file, page.headersFile]);
  const nginx = findNginx();
  const running: Running[] = [bare];
  if (nginx) running.push(await startNginx(nginx.path, folder, page));
  else skip("requests for / beside nginx", "no nginx (Debian: nginx-light)");
  try {
    const [, behindNginx] = running;
    const loads = await loadInTurn(
      [
        { name: "product, /", url },
        { name: "bare Hono handler", url: bare.url },
        ...(behindNginx && nginx ? [{ name: nginx.version, url: behindNginx.url }] : []),
      ],
      plan,
    );
    console.log(
      `\n${asked(plan)}\nRequests for / (${page.bytes.toLocaleString("en")} bytes, brotli):\n`,
    );
    const ratio = reportLoads(loads, "bare Hono handler");
    const figure = ratio("product, /");
    hold({ work: "requests for /", beside: "a bare Hono handler", figure, atLeast: 0.7 });
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
}

/** What a browser gets for an address, byte by byte, and the headers that describe it. */
async function saveBytes(url: string, folder: string) {
  const answer = await fetch(url, { headers: { "accept-encoding": "br" } });
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !perAnswer.includes(name)),
  );
  // fetch has unpacked the body; packed again it is as large.
  const plain = Buffer.from(await answer.arrayBuffer());
  const bytes = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const file = path.join(folder, "page.br");
  const headersFile = path.join(folder, "page.json");
  writeFileSync(file, bytes);
  writeFileSync(headersFile, JSON.stringify(headers));
  return { file, headersFile, headers, bytes: bytes.length };
}

const perAnswer = [
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "transfer-encoding",
  "x-request-id",
];
