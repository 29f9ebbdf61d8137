// The view of programs that shared the GPU, held to figures of their database: node sharing_page_test.mjs
// EXPECTED.json. tests/app/report_page_test.py makes the page and the figures.
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

await tab.goto(`file://${wanted.page}`);
await tab.waitForSelector("main[data-ready=overview]");
assert.equal(await tab.$eval('select[aria-label="Frame"] option', (option) => option.textContent), "the run");
await tab.click("nav a[data-view=sharing]");
await tab.waitForSelector("main[data-ready=sharing]");
const programs = await table("Programs and their turns");
assert.deepEqual(
  programs.map((row) => [row.turns, row.suspended, row["had the GPU"], row["switches to it"], row["marginal cycles"]]),
  wanted.programs,
);
// Bars of turns that a screen tells apart; those of the others are merged, and no cycle is lost.
const bars = await tab.$$eval(".turns rect", (all) => all.map((bar) => [Number(bar.dataset.row), Number(bar.dataset.cycles)]));
wanted.programs.forEach(([turns, , cycles], row) => {
  const mine = bars.filter((bar) => bar[0] === row);
  assert(mine.length > 0 && mine.length <= turns);
  assert(mine.reduce((sum, bar) => sum + bar[1], 0) >= cycles);
});
assert.deepEqual((await table("Frames together and alone")).map((row) => [row.frame, row.began, row.ended, row.alone]), wanted.frames);
const blocks = await tab.$$eval(".side[data-program]", (all) => all.map((block) => [block.textContent, block.querySelector("img")?.naturalWidth ?? 0]));
assert.equal(blocks.length, wanted.programs.length);
for (const [text, width] of blocks) {
  assert.match(text, /Bound by .* of its time/);
  assert(width > 0, "the last picture of each program is there");
}
await tab.click("nav a[data-view=draws]");
await tab.waitForSelector("main[data-ready=draws]");
assert.match(await tab.textContent("main"), /draw 1 of submission \d+, of 2: blending/);
for (const name of await tab.$$eval("nav a", (tabs) => tabs.map((one) => one.dataset.view))) {
  await tab.click(`nav a[data-view=${name}]`);
  await tab.waitForSelector(`main[data-ready=${name}]`);
  assert(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits 1024 pixels`);
}
assert.deepEqual(faults, []);
await browser.close();
