// The views of sweeps in a browser, held to figures of their databases: node sweep_page_test.mjs EXPECTED.json
// tests/app/report_page_test.py makes the page and the figures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const wanted = JSON.parse(readFileSync(process.argv[2], "utf8"));
const browser = await chromium.launch({ executablePath: wanted.chromium, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const tab = await browser.newPage({ viewport: { width: 1024, height: 800 } });
const faults = [];
tab.on("pageerror", (error) => faults.push(String(error)));
tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));

async function table(name) {
  return tab.$eval(`.scroller[aria-label="${name}"] table`, (element) => {
    const titles = [...element.querySelectorAll("thead th")].map((head) => head.textContent);
    return [...element.querySelectorAll("tbody tr:not(.spacer)")].map((row) => Object.fromEntries([...row.children].map((cell, i) => [titles[i], cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value)])));
  });
}
const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

await tab.goto(`file://${wanted.page}`);
await tab.waitForSelector("main[data-ready=sweep]");
let rows = await table("Points of the sweep");
assert.deepEqual(rows.map((row) => [row["memory.channels"], row.frame, row.cycles]), wanted.first.map(([channels, frame, cycles]) => [channels, frame, cycles]));
wanted.first.forEach(([, frame, , nanoseconds], i) => {
  const fastest = Math.min(...wanted.first.filter((one) => one[1] === frame).map((one) => one[3]));
  assert(close(rows[i].time, nanoseconds / 1e6));
  assert(close(rows[i]["against the fastest"], nanoseconds / fastest - 1));
});
await tab.click('.scroller[aria-label="Points of the sweep"] th button:text-is("time")');
rows = await table("Points of the sweep");
assert.deepEqual(rows.map((row) => row.time), rows.map((row) => row.time).sort((a, b) => b - a), "a head sorts");
assert(await tab.$eval(".plots img", (image) => image.complete && image.naturalWidth > 0), "the plot is a picture");
// All frames of the first sweep are of all machines.
const means = await table("Machines of the sweep");
for (const channels of [1, 2]) {
  const mine = wanted.first.filter((one) => one[0] === channels);
  const row = means.find((one) => one.machine.includes(`memory.channels = ${channels}`));
  assert(close(row["mean time"], mine.reduce((sum, one) => sum + one[3] / 1e6, 0) / mine.length));
}

await tab.click("nav a[data-view=sweeps]");
await tab.waitForSelector("main[data-ready=sweeps]");
const pairs = await table("Points of both sweeps");
const expected = wanted.second.flatMap(([channels, frame, cycles, nanoseconds]) => {
  const first = wanted.first.find((one) => one[0] === channels && one[1] === frame);
  return first ? [[first[2], cycles, nanoseconds / first[3] - 1]] : [];
});
assert.equal(pairs.length, expected.length);
for (const [before, after, change] of expected)
  assert(pairs.some((row) => row.cycles === before && row["cycles then"] === after && close(row.change, change)), `${before}, ${after}, ${change}`);
const mean = Math.exp(expected.reduce((sum, one) => sum + Math.log(one[2] + 1), 0) / expected.length) - 1;
assert((await tab.textContent(".verdict")).includes(`${Math.abs(mean * 100).toFixed(1)} % ${mean > 0 ? "more" : "less"} time`), await tab.textContent(".verdict"));

// The second lacks a frame of one machine: no mean of it is given.
await tab.click("nav a[data-view=sweep]");
await tab.selectOption('select[aria-label="Sweep"]', "1");
await tab.waitForSelector("main .warning");
assert.match(await tab.textContent("main .warning"), /^1 of 2 machines lack some of the 2 frames/);
assert((await table("Machines of the sweep")).some((row) => row["mean time"] === "other frames"));
for (const width of [1024, 1400]) {
  await tab.setViewportSize({ width, height: 800 });
  assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true, `it fits ${width} pixels`);
}
assert.deepEqual(faults, []);
await browser.close();
