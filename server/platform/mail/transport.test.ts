import { expect, test } from "vitest";
import { smtpOptions } from "./transport.ts";

test.each([
  ["smtp://mail.example.com:587", true],
  ["smtp://user:secret@192.0.2.1", true],
  ["smtp://localhost.example.com", true],
  ["smtp://127.example.com", true],
  ["smtp://127.0.0.1:1025", false],
  ["smtp://localhost", false],
  ["smtp://[::1]:25", false],
])("%s must speak TLS: %s", (url, needed) => {
  expect(smtpOptions(url)).toMatchObject({ url, requireTLS: needed });
});
