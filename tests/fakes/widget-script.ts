import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a browser asked of the charting provider: the script of a widget, or the frame that the script makes. */
export interface WidgetRequest {
  path: string;
  /** Of a frame: the options that the script found in its own text. */
  options: Record<string, unknown> | null;
  /** Of a frame: how long after its document began the script ran, by the browser's clock. */
  ranAfterMs: number | null;
}

export interface WidgetProvider {
  url: string;
  requests: WidgetRequest[];
  stop(): Promise<void>;
}

/**
 * Stands in for the charting provider: serves a script for every widget that reads its options from its own text
 * and puts a frame beside itself, as the provider's does, and remembers every request.
 */
export async function startWidgetProvider(): Promise<WidgetProvider> {
  const requests: WidgetRequest[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://provider");
    const options = searchParams.get("options");
    const ranAfter = searchParams.get("ranAfterMs");
    requests.push({
      path: pathname,
      options: options === null ? null : (JSON.parse(options) as Record<string, unknown>),
      ranAfterMs: ranAfter === null ? null : Number(ranAfter),
    });
    const isScript = pathname.endsWith(".js");
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? script : page(pathname));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const script = `{
  const own = document.currentScript;
  const options = JSON.parse(own.textContent);
  const name = /embed-widget-(.+)\\.js$/.exec(own.src)[1];
  const told = new URLSearchParams({
    options: JSON.stringify(options),
    ranAfterMs: String(performance.now()),
  });
  const frame = document.createElement("iframe");
  frame.src = new URL("/embed-widget/" + name + "/?" + told, own.src).href;
  frame.title = name;
  frame.style.cssText = "width: 100%; border: 0; height: " + (options.height ?? 46) + "px";
  own.parentElement.querySelector(".tradingview-widget-container__widget").append(frame);
}`;

function page(path: string): string {
  return `<!doctype html><html lang="en"><title>Widget</title><p>Widget ${path.split("/")[2] ?? ""}</p></html>`;
}
