import { type ResourceLimits, Worker } from "node:worker_threads";

interface Question {
  /** What the thread finds as its `workerData`. */
  of: unknown;
  timeoutMs: number;
  memory: ResourceLimits;
}

/**
 * Asks a thread of its own for one message, with a limit on its time and its memory: what is made to break a
 * reader ends that thread and nothing else. It gets no environment, and what it prints is dropped.
 *
 * @returns the message, or null when the thread ended without one.
 */
export async function runInWorkerThread<Answer>(
  program: URL,
  { of, timeoutMs, memory }: Question,
): Promise<Answer | null> {
  const worker = new Worker(program, {
    workerData: of,
    resourceLimits: memory,
    stdout: true,
    stderr: true,
    env: {},
  });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    return await firstMessage<Answer>(worker);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function firstMessage<Answer>(worker: Worker): Promise<Answer | null> {
  return new Promise((resolve) => {
    worker.once("message", resolve);
    worker.once("error", () => resolve(null));
    worker.once("exit", () => resolve(null));
  });
}
