// Screenshots of every view: node shots.mjs REPORT.html FOLDER [light|dark] [WIDTH] [view...]
import { chromium } from "playwright-core";

const [page, folder, theme = "light", ...more] = process.argv.slice(2);
const width = Number(more.find((one) => /^\d+$/.test(one)) ?? 1440);
const only = more.filter((one) => !/^\d+$/.test(one));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
tab.on("console", (message) => console.log("console:", message.type(), message.text()));
tab.on("pageerror", (error) => console.log("error:", error.message));
const began = Date.now();
await tab.goto(`file://${page}`);
await tab.waitForSelector("main[data-ready]");
console.log("opened in", Date.now() - began, "ms");
const views = await tab.$$eval("nav a", (tabs) => tabs.map((one) => one.dataset.view));
for (const view of views) {
  if (only.length && !only.includes(view)) continue;
  const start = Date.now();
  await tab.click(`nav a[data-view=${view}]`);
  await tab.waitForSelector(`main[data-ready=${view}]`);
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const beyond = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  console.log(view, Date.now() - start, "ms", beyond > 0 ? `${beyond} pixels too wide` : "");
  if (view === "draws") await tab.click('tr[data-row="20"]').catch((e) => console.log(e.message));
  if (view === "draws") await tab.waitForSelector(".pair[data-ready]", { timeout: 5000 }).catch(() => console.log("no pictures"));
  await tab.waitForTimeout(200);
  await tab.screenshot({ path: `${folder}/${theme}_${width}_${view}.png`, fullPage: true });
}
await browser.close();
