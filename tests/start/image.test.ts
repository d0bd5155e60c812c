import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { copyProduct } from "../setup/copy-product.ts";
import { freePort } from "../setup/free-port.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-image-"));
const tree = path.join(folder, "srv");
afterAll(() => {
  for (const file of [tree, ...listTree()]) {
    if (lstatSync(file).isDirectory()) chmodSync(file, 0o755);
  }
  rmSync(folder, { recursive: true, force: true });
});

const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
const nobody = 65_534;

/** Root runs it as nobody, who must be able to read the packages of this checkout. */
function isReadable(place: string): boolean {
  const above = path.dirname(place);
  const mayEnter = (lstatSync(place).mode & 0o005) === 0o005;
  return mayEnter && (above === place || isReadable(above));
}

test("what the image holds runs as another user on files that it cannot write, and writes only where its data are", async () => {
  copyAsTheImageDoes();
  const isRoot = process.getuid?.() === 0 && isReadable(path.resolve("node_modules"));
  const own = isRoot ? { uid: nobody, gid: nobody } : {};
  const home = path.join(folder, "home");
  mkdirSync(home);
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(home, nobody, nobody);
  const before = listTree();
  const port = await freePort();
  const [program = "", ...args] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? "[]");
  const product = spawn(program, args, {
    ...own,
    cwd: tree,
    env: { PATH: process.env["PATH"], ...environmentOfTheImage(home), PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = new Promise((resolve) => {
    product.once("exit", resolve);
    product.once("error", resolve);
  });
  let said = "";
  for (const stream of [product.stdout, product.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  try {
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status ?? said;
    await expect.poll(ready).toBe(200);
    expect(await (await fetch(`${url}/faq`)).text()).toContain("</html>");
    expect(said).not.toMatch(/EACCES|EROFS|Building/);
  } finally {
    product.kill("SIGTERM");
    expect(await gone, said).toBe(0);
  }
  expect(listTree()).toEqual(before);
  expect(readdirSync(home)).toContain("postgres");
});

/** With its pages; then nobody may write. */
function copyAsTheImageDoes(): void {
  copyProduct(tree);
  // What `npm run build` leaves there.
  for (const name of [".builds", "build"]) {
    cpSync(name, path.join(tree, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const file of [...listTree(), tree]) {
    const found = lstatSync(file);
    if (!found.isSymbolicLink()) chmodSync(file, found.mode & 0o555);
  }
}

/** As the Dockerfile sets it, with a folder of the test for what is a volume there. */
function environmentOfTheImage(home: string): Record<string, string> {
  const [, line = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
  const set = line.split(" ").map((each) => each.split("=") as [string, string]);
  const env = Object.fromEntries(set);
  expect(Object.keys(env)).toEqual(["HOST", "PORT", "DATA_DIR", "NODE_COMPILE_CACHE"]);
  const cache = path.join(home, "compile-cache");
  return { ...env, HOST: "127.0.0.1", DATA_DIR: home, NODE_COMPILE_CACHE: cache };
}

/** Without what links lead to. */
function listTree(below = tree): string[] {
  return readdirSync(below, { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.join(below, entry.name);
      return entry.isDirectory() ? [file, ...listTree(file)] : [file];
    })
    .sort();
}
