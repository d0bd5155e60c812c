// A process that posts a day until it is done or killed, and says so.
import { postMiningDay } from "../../server/mining/days/post-mining-day.ts";
import { openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";

const [applicationUrl = "", day = "", now = ""] = process.argv.slice(2);
const db = openDatabase(applicationUrl, openLog("silent"), { connections: 4 });
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const { posted } = await postMiningDay(db, day, new Date(now));
process.stdout.write(posted ? "closed\n" : "done\n");
await db.$client.end();
process.exit(0);
