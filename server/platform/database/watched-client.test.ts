import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { startTcpProxy } from "#tests/fakes/tcp-proxy.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { isDatabaseOutage } from "./database-failure.ts";
import { WatchedClient } from "./watched-client.ts";

const { applicationUrl } = await testDatabase({ documents: false });

/** Long enough for an answer on a busy machine. */
const limitMs = 600;
const longer = () => wait(limitMs + 200);

async function connected() {
  const url = new URL(applicationUrl);
  const line = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${line.port}`;
  const client = new WatchedClient({ connectionString: url.href, pipeline: true });
  client.on("error", () => {});
  await client.connect();
  client.waitForAnswers(limitMs);
  onTestFinished(async () => {
    line.set("cut");
    await client.end();
    await line.stop();
  });
  return { client, line };
}

test("a connection that is only idle stays, before its first question and after", async () => {
  const { client } = await connected();
  await longer();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await longer();
  await expect(client.query("select 1 / 0")).rejects.toMatchObject({ code: "22012" });
  await longer();
  expect((await client.query("select $1::int as two", [2])).rows).toEqual([{ two: 2 }]);
});

test("all that was asked of a silent PostgreSQL fails as an outage", async () => {
  const { client, line } = await connected();
  await client.query("select 1");
  line.set("mute");
  const asked = [client.query("select 2"), client.query("select 3")];
  for (const answer of await Promise.allSettled(asked)) {
    expect(answer).toMatchObject({
      status: "rejected",
      reason: expect.toSatisfy(isDatabaseOutage),
    });
  }
});

test("a question may take as long as it is allowed, and no longer", async () => {
  const { client } = await connected();
  client.waitForAnswers(20_000);
  await client.query("select pg_sleep(0.8)");
  client.waitForAnswers(limitMs);
  await expect(client.query("select pg_sleep(0.8)")).rejects.toSatisfy(isDatabaseOutage);
});

/** A line to PostgreSQL that speaks TLS on the near side, with a key that both know. */
async function startTlsLine(target: { host: string; port: number }) {
  const psk = Buffer.alloc(32, 7);
  const sockets: Socket[] = [];
  let isMute = false;
  const tls = createTlsServer({ pskCallback: () => psk, ciphers: "PSK", maxVersion: "TLSv1.2" });
  tls.on("secureConnection", (near) => {
    const far = connect(target);
    sockets.push(near, far);
    near.on("error", () => far.destroy()).on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => void (isMute || near.write(bytes)));
  });
  const server = createServer((near) => {
    // The client asks whether it may use TLS.
    near.once("data", () => {
      near.write("S");
      tls.emit("connection", near);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const ssl = {
    pskCallback: () => ({ psk, identity: "test" }),
    ciphers: "PSK",
    maxVersion: "TLSv1.2" as const,
    checkServerIdentity: () => undefined,
  };
  const mute = () => {
    isMute = true;
  };
  return { port, ssl, mute };
}

test("it is the same through TLS", async () => {
  const url = new URL(applicationUrl);
  const line = await startTlsLine({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${line.port}`;
  const client = new WatchedClient({ connectionString: url.href, ssl: line.ssl, pipeline: true });
  client.on("error", () => {});
  await client.connect();
  client.waitForAnswers(limitMs);
  await longer();
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  // Longer than the limit in all, never silent for so long.
  for (let nth = 0; nth < 4; nth += 1) await client.query("select pg_sleep(0.2)");
  await longer();
  line.mute();
  await expect(client.query("select 2")).rejects.toSatisfy(isDatabaseOutage);
  await client.end();
});
