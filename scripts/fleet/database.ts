// One PostgreSQL of a fleet. It says on a port of its own whether it is the primary, as Patroni does: `database.ts DATA_DIR PORT CHECK_PORT`.
import { createServer } from "node:http";
import pg from "pg";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { runUntilStopped } from "../run-until-stopped.ts";

const [dataDir = "", port = "", checkPort = ""] = process.argv.slice(2);

await runUntilStopped(async () => {
  const postgres = await startEmbeddedPostgres(dataDir, {
    port: Number(port),
    flags: [
      // What a standby has not read yet is kept for it.
      ...["-c", "wal_keep_size=512MB"],
      // One that is killed for good leaves it nowhere but in its folder.
      ...["-c", "dynamic_shared_memory_type=mmap"],
    ],
    onLine: (line) => console.log(line),
  });
  const pool = new pg.Pool({
    connectionString: postgres.ownerUrl,
    max: 1,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  });
  pool.on("error", () => {});
  const isPrimary = async () =>
    (await pool.query("select pg_is_in_recovery() as is")).rows[0].is === false;
  const check = createServer(async (request, response) => {
    const is = request.url === "/primary" && (await isPrimary().catch(() => false));
    response.writeHead(is ? 200 : 503).end();
  }).listen(Number(checkPort), "127.0.0.1");
  return {
    async stop() {
      check.close();
      await pool.end();
      await postgres.stop();
    },
  };
});
